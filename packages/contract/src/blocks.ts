/**
 * Content blocks of the Messages API, as plain structural types.
 *
 * Core blocks are assignable to the types of `@anthropic-ai/sdk` and back. Foreign blocks (made by server tools) only come in:
 * the edge that talks to the model hands them back unchanged. A type test fails when the SDK learns a block that is missing here.
 */

/** Text written by a person or the model. Never empty in a valid history. */
export interface TextBlock {
  /** Names the kind of block. */
  readonly type: 'text'
  /** The words; at least one visible character in a valid history. */
  readonly text: string
}

/** Data that lies somewhere on the web. */
export interface UrlSource {
  /** Names the kind of source. */
  readonly type: 'url'
  /** Where the service can fetch it. */
  readonly url: string
}

/** Data that was uploaded to the service before. */
export interface FileSource {
  /** Names the kind of source. */
  readonly type: 'file'
  /** The service's id of the file. */
  readonly file_id: string
}

/** The bytes of an image. */
export interface Base64ImageSource {
  /** Names the kind of source. */
  readonly type: 'base64'
  /** What the bytes are. */
  readonly media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'
  /** The bytes in base64, without line breaks. */
  readonly data: string
}

/** Where the bytes of an image are. */
export type ImageSource = Base64ImageSource | UrlSource | FileSource

/** A picture for the model. */
export interface ImageBlock {
  /** Names the kind of block. */
  readonly type: 'image'
  /** Where the bytes are. */
  readonly source: ImageSource
}

/** The bytes of a PDF document. */
export interface Base64PdfSource {
  /** Names the kind of source. */
  readonly type: 'base64'
  /** What the bytes are. */
  readonly media_type: 'application/pdf'
  /** The bytes in base64, without line breaks. */
  readonly data: string
}

/** The text of a document. */
export interface PlainTextSource {
  /** Names the kind of source. */
  readonly type: 'text'
  /** What the data is. */
  readonly media_type: 'text/plain'
  /** The text. */
  readonly data: string
}

/** A document made of blocks. */
export interface ContentSource {
  /** Names the kind of source. */
  readonly type: 'content'
  /** The text, or texts and pictures. */
  readonly content: string | (TextBlock | ImageBlock)[]
}

/** Where the content of a document is. */
export type DocumentSource = Base64PdfSource | PlainTextSource | ContentSource | UrlSource | FileSource

/** A document (PDF, plain text) for the model. */
export interface DocumentBlock {
  /** Names the kind of block. */
  readonly type: 'document'
  /** Where the content is. */
  readonly source: DocumentSource
  /** A name the model may use for it. */
  readonly title?: string | null
}

/** A signed thought; goes back to the model byte-equal while the tool loop lasts. */
export interface ThinkingBlock {
  /** Names the kind of block. */
  readonly type: 'thinking'
  /** The thought; may be empty where the service withholds it. */
  readonly thinking: string
  /** Proof that the thought is the model's and unchanged. */
  readonly signature: string
}

/** An encrypted thought; goes back to the model byte-equal. */
export interface RedactedThinkingBlock {
  /** Names the kind of block. */
  readonly type: 'redacted_thinking'
  /** The encrypted thought. */
  readonly data: string
}

/** The model asks for one tool call. `input` is unparsed JSON data. */
export interface ToolUseBlock {
  /** Names the kind of block. */
  readonly type: 'tool_use'
  /** Names the call; its result refers to it. Unique in a valid history. */
  readonly id: string
  /** The tool, as the model spelled it. */
  readonly name: string
  /** JSON data, an object in a valid history; not checked against any schema. */
  readonly input: unknown
}

/** Names a deferred tool whose schema the model now knows. */
export interface ToolReferenceBlock {
  /** Names the kind of block. */
  readonly type: 'tool_reference'
  /** The name of the tool. */
  readonly tool_name: string
}

/** What the content of a tool result may hold. */
export type ToolResultPart = TextBlock | ImageBlock | DocumentBlock | ToolReferenceBlock

/** The one answer to one `tool_use`. */
export interface ToolResultBlock<Part = ToolResultPart> {
  /** Names the kind of block. */
  readonly type: 'tool_result'
  /** The id of the call that this answers. */
  readonly tool_use_id: string
  /** What the tool says to the model. Absent and `''` both mean that it has nothing to say. */
  readonly content?: string | Part[]
  /** The call failed, or never ran. @default false */
  readonly is_error?: boolean
}

/** A block made by the model service's own tools. Opaque to this project: kept and sent back as it came. */
export interface ForeignBlock {
  /** Names the kind of block. The other fields are none of our business. */
  readonly type:
    | 'server_tool_use'
    | 'web_search_tool_result'
    | 'web_fetch_tool_result'
    | 'code_execution_tool_result'
    | 'bash_code_execution_tool_result'
    | 'text_editor_code_execution_tool_result'
    | 'tool_search_tool_result'
    | 'container_upload'
    | 'search_result'
    | 'browser_state'
}

/** The blocks this project makes and reads itself. */
export type CoreBlock =
  | TextBlock
  | ImageBlock
  | DocumentBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ToolResultBlock

/** Any block that can stand in a history. */
export type ContentBlock = CoreBlock | ForeignBlock | ToolResultBlock<ToolResultPart | ForeignBlock>
