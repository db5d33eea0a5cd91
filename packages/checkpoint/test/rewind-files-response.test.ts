import { type RewindOutcome, toRewindFilesResponse } from '@x/checkpoint'
import { expect, test } from 'vitest'

const file = {
  path: '/p/a',
  action: 'restore',
  hasUserChanges: false,
  isBinary: false,
  insertions: 2,
  deletions: 1,
} as const
const rewound: RewindOutcome = {
  type: 'rewound',
  messageId: 'm1',
  changed: [file],
  conflicts: [],
  skipped: [],
  failed: [],
  insertions: 2,
  deletions: 1,
}

test('files that came back are named, with the lines', () => {
  const response = { canRewind: true, filesChanged: ['/p/a'], insertions: 2, deletions: 1 }
  expect(toRewindFilesResponse(rewound)).toEqual(response)
  expect(toRewindFilesResponse({ ...rewound, type: 'planned' })).toEqual(response)
})

test('links are named apart, and everything else that was not done in the error', () => {
  const outcome: RewindOutcome = {
    ...rewound,
    type: 'incomplete',
    changed: [],
    conflicts: [{ ...file, path: '/p/user', hasUserChanges: true }],
    skipped: [
      { path: '/p/link', reason: 'symlink' },
      { path: '/p/hard', reason: 'hard-link' },
      { path: '/p/folder', reason: 'not-a-file' },
      { path: '/p/closed', reason: 'write-protected' },
      { path: '/etc/x', reason: 'outside-project' },
      { path: '/p/big', reason: 'not-kept' },
    ],
    failed: [{ path: '/p/full', message: 'ENOSPC' }],
  }
  expect(toRewindFilesResponse(outcome)).toEqual({
    canRewind: true,
    filesChanged: [],
    insertions: 2,
    deletions: 1,
    skippedLinks: ['/p/link', '/p/hard'],
    error: [
      '/p/user: changed by somebody else since, left alone',
      '/p/folder: no regular file stands there now',
      '/p/closed: write-protected since',
      '/etc/x: outside of the project',
      '/p/big: no copy could be kept',
      '/p/full: ENOSPC',
    ].join('\n'),
  })
})

test('a message without a checkpoint cannot be rewound to', () => {
  expect(toRewindFilesResponse({ type: 'unknown-message', messageId: 'm9' })).toEqual({
    canRewind: false,
    error: 'No file checkpoint found for message m9',
  })
})
