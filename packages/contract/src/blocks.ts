/**
 * Content blocks of the Messages API, as plain structural types.
 *
 * Core blocks are assignable to the types of `@anthropic-ai/sdk` and back. Foreign blocks (made by server tools) only come in:
 * the edge that talks to the model hands them back unchanged. A type test fails when the SDK learns a block that is missing here.
 */

/** Text written by a person or the model. Never empty in a valid history. */
export interface TextBlock {
  readonly type: 'text'
  readonly text: string
}

/** Where the bytes of an image are. */
export type ImageSource =
  | {
      readonly type: 'base64'
      readonly media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'
      readonly data: string
    }
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'file'; readonly file_id: string }

/** A picture for the model. */
export interface ImageBlock {
  readonly type: 'image'
  readonly source: ImageSource
}

/** Where the content of a document is. */
export type DocumentSource =
  | { readonly type: 'base64'; readonly media_type: 'application/pdf'; readonly data: string }
  | { readonly type: 'text'; readonly media_type: 'text/plain'; readonly data: string }
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'file'; readonly file_id: string }
  | { readonly type: 'content'; readonly content: string | (TextBlock | ImageBlock)[] }

/** A document (PDF, plain text) for the model. */
export interface DocumentBlock {
  readonly type: 'document'
  readonly source: DocumentSource
  readonly title?: string | null
}

/** A signed thought; goes back to the model byte-equal while the tool loop lasts. */
export interface ThinkingBlock {
  readonly type: 'thinking'
  readonly thinking: string
  readonly signature: string
}

/** An encrypted thought; goes back to the model byte-equal. */
export interface RedactedThinkingBlock {
  readonly type: 'redacted_thinking'
  readonly data: string
}

/** The model asks for one tool call. `input` is unparsed JSON data. */
export interface ToolUseBlock {
  readonly type: 'tool_use'
  readonly id: string
  readonly name: string
  readonly input: unknown
}

/** Names a deferred tool whose schema the model now knows. */
export interface ToolReferenceBlock {
  readonly type: 'tool_reference'
  readonly tool_name: string
}

/** What the content of a tool result may hold. */
export type ToolResultPart = TextBlock | ImageBlock | DocumentBlock | ToolReferenceBlock

/** The one answer to one `tool_use`. */
export interface ToolResultBlock<Part = ToolResultPart> {
  readonly type: 'tool_result'
  readonly tool_use_id: string
  readonly content?: string | Part[]
  readonly is_error?: boolean
}

/** A block made by the model service's own tools. Opaque to this project: kept and sent back as it came. */
export interface ForeignBlock {
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
