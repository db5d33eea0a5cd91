import { refuseFind } from './find.ts'
import { harmless, listed, type Policy } from './policy.ts'

const grep = harmless({
  short: 'EFGPivwxycLlm:oqsbHhnTZA:B:C:aIrRUzuVe:f:d:D:',
  long: 'extended-regexp fixed-strings perl-regexp ignore-case invert-match word-regexp line-regexp count color:: colour:: files-without-match files-with-matches max-count: only-matching quiet silent no-messages with-filename no-filename line-number after-context: before-context: context: text include: exclude: exclude-dir: recursive regexp: file: null',
  takesNumber: true,
  filesFrom: 1,
  patternOptions: '-e -f --regexp --file',
  fileOptions: '-f --file',
})

const fd = listed({
  short: 'HIuse:t:d:E:aLp0g1FilS:c:',
  long: 'hidden no-ignore case-sensitive ignore-case extension: type: max-depth: min-depth: exact-depth: exclude: absolute-path follow full-path print0 glob fixed-strings size: color: changed-within: changed-before: max-results:',
  filesFrom: 1,
})

/** Programs that look for files or lines. */
export const searchPolicies: Readonly<Record<string, Policy>> = {
  grep,
  egrep: grep,
  fgrep: grep,
  // Not --pre and --hostname-bin, which run a program, and not -z, which runs decompressors.
  rg: listed({
    short: 'A:B:C:ce:E:f:Fg:hHiIlLm:M:nNoPpqsStT:uUvVwxd:j:r:.0',
    long: 'after-context: before-context: context: count count-matches regexp: encoding: file: fixed-strings glob: iglob: no-filename with-filename ignore-case files files-with-matches files-without-match follow max-count: max-columns: max-columns-preview line-number no-line-number only-matching pcre2 pretty quiet no-messages smart-case case-sensitive type: type-not: type-list unrestricted multiline multiline-dotall invert-match version word-regexp line-regexp max-depth: threads: replace: hidden no-hidden null json stats sort: sortr: color: colors: heading no-heading column no-column no-ignore no-ignore-vcs no-ignore-parent no-config trim passthru vimgrep no-follow byte-offset text no-pre debug',
    filesFrom: 1,
    patternOptions: '-e -f --regexp --file --files --type-list',
    fileOptions: '-f --file',
  }),
  // Not -x and -X, which run a program.
  fd,
  fdfind: fd,
  find: { trust: 'any', refuse: refuseFind },
  ls: harmless({
    filesFrom: 0,
    short: 'aAbBcCdDfFgGhHiI:klLmnNopqQrRsStT:uUvw:xXZ1',
    long: 'all almost-all color:: full-time group-directories-first human-readable recursive reverse size sort: time: time-style: inode directory classify',
  }),
  du: harmless({
    filesFrom: 0,
    short: 'aAbcDd:hHklLmsSxX:t:0',
    long: 'all apparent-size total max-depth: human-readable summarize exclude: time:: threshold:',
  }),
  stat: harmless({ filesFrom: 0, short: 'c:f:Lt', long: 'format: printf: dereference file-system terse' }),
  readlink: harmless({ filesFrom: 0, short: 'femnqsvz' }),
  realpath: harmless({ filesFrom: 0, short: 'emLPqsz' }),
  // -o writes, -R with -H writes too. An option in a cluster takes its value from the next word (`-Io '*.x' file`).
  tree: listed({
    refuse: (_parsed, words) =>
      words.some((word) => /^-[^-]*[^-adfiNphugDFCnJXstIPL\d]/.test(word.prefix))
        ? 'What tree takes for a value is not known'
        : undefined,
    short: 'adfiNphugDFCnJXL:I:P:st',
    long: 'dirsfirst noreport du prune gitignore filelimit: charset: sort::',
    filesFrom: 0,
  }),
  // -C writes, -m and -f read rules from elsewhere.
  file: listed({
    short: 'bhiIkLNnrpsv0',
    long: 'brief mime mime-type mime-encoding dereference',
    filesFrom: 0,
  }),
}
