import type * as sdk from '@anthropic-ai/sdk/resources/messages'
import type {
  ContentBlock,
  CoreBlock,
  DocumentBlock,
  ForeignBlock,
  ImageBlock,
  Message,
  RedactedThinkingBlock,
  StopReason,
  TextBlock,
  ThinkingBlock,
  ToolReferenceBlock,
  ToolResultBlock,
  ToolResultPart,
  ToolUseBlock,
  Usage,
} from '@x/contract'
import { expectTypeOf, test } from 'vitest'

type SdkResultPart = Exclude<NonNullable<sdk.ToolResultBlockParam['content']>, string>[number]

test('every block type of the SDK is known here, and no other', () => {
  type Ours = (ContentBlock | ToolResultPart)['type']
  type Sdk = (sdk.ContentBlock | sdk.ContentBlockParam | SdkResultPart)['type']
  expectTypeOf<Ours>().toEqualTypeOf<Sdk>()
})

test('foreign blocks are those of the SDK that are not core', () => {
  type Core = CoreBlock['type'] | 'tool_reference'
  type Sdk = (sdk.ContentBlock | sdk.ContentBlockParam | SdkResultPart)['type']
  expectTypeOf<ForeignBlock['type']>().toEqualTypeOf<Exclude<Sdk, Core>>()
})

test('core blocks can be sent as they are', () => {
  expectTypeOf<TextBlock>().toExtend<sdk.TextBlockParam>()
  expectTypeOf<ImageBlock>().toExtend<sdk.ImageBlockParam>()
  expectTypeOf<DocumentBlock>().toExtend<sdk.DocumentBlockParam>()
  expectTypeOf<ThinkingBlock>().toExtend<sdk.ThinkingBlockParam>()
  expectTypeOf<RedactedThinkingBlock>().toExtend<sdk.RedactedThinkingBlockParam>()
  expectTypeOf<ToolUseBlock>().toExtend<sdk.ToolUseBlockParam>()
  expectTypeOf<ToolResultBlock>().toExtend<sdk.ToolResultBlockParam>()
  expectTypeOf<ToolReferenceBlock>().toExtend<sdk.ToolReferenceBlockParam>()
  expectTypeOf<ToolResultPart>().toExtend<SdkResultPart>()
  expectTypeOf<CoreBlock>().toExtend<sdk.ContentBlockParam>()
  expectTypeOf<Message<CoreBlock>>().toExtend<sdk.MessageParam>()
})

test('core blocks that could be sent come in', () => {
  expectTypeOf<sdk.TextBlockParam>().toExtend<TextBlock>()
  expectTypeOf<sdk.ImageBlockParam>().toExtend<ImageBlock>()
  expectTypeOf<sdk.DocumentBlockParam>().toExtend<DocumentBlock>()
  expectTypeOf<sdk.ThinkingBlockParam>().toExtend<ThinkingBlock>()
  expectTypeOf<sdk.RedactedThinkingBlockParam>().toExtend<RedactedThinkingBlock>()
  expectTypeOf<sdk.ToolUseBlockParam>().toExtend<ToolUseBlock>()
  expectTypeOf<sdk.ToolResultBlockParam>().toExtend<ToolResultBlock<ToolResultPart | ForeignBlock>>()
  expectTypeOf<sdk.ToolReferenceBlockParam>().toExtend<ToolReferenceBlock>()
})

test('blocks of an answer come in', () => {
  expectTypeOf<sdk.TextBlock>().toExtend<TextBlock>()
  expectTypeOf<sdk.ThinkingBlock>().toExtend<ThinkingBlock>()
  expectTypeOf<sdk.RedactedThinkingBlock>().toExtend<RedactedThinkingBlock>()
  expectTypeOf<sdk.ToolUseBlock>().toExtend<ToolUseBlock>()
  expectTypeOf<sdk.ContentBlock>().toExtend<ContentBlock>()
  expectTypeOf<sdk.Message>().toExtend<Message>()
})

test('whatever can be sent comes in, foreign blocks too', () => {
  expectTypeOf<sdk.ContentBlockParam>().toExtend<ContentBlock>()
  expectTypeOf<sdk.UserMessageParam | sdk.AssistantMessageParam>().toExtend<Message>()
})

test('foreign blocks do not go out by their type alone', () => {
  expectTypeOf<ForeignBlock>().not.toExtend<sdk.ContentBlockParam>()
  expectTypeOf<ContentBlock>().not.toExtend<sdk.ContentBlockParam>()
})

test('stop reasons are those of the SDK, and its usage is ours', () => {
  expectTypeOf<StopReason>().toEqualTypeOf<sdk.StopReason>()
  expectTypeOf<sdk.Usage>().toExtend<Usage>()
})
