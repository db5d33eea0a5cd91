import * as api from '@x/transcript'
import { expect, test } from 'vitest'

test('exports exactly these names', () => {
  expect(Object.keys(api).sort()).toEqual([
    'TranscriptError',
    'createSessionStore',
    'isTranscriptError',
    'openSidechain',
    'openTranscript',
    'readEvents',
    'readLastRecord',
    'readSidechainMeta',
    'readTranscript',
    'sidechainFiles',
    'toEvents',
    'toRecords',
    'unknownOutcomeText',
  ])
})
