import { harmless, listed, type Policy } from './policy.ts'

const sum = harmless({
  filesFrom: 0,
  short: 'bctzwa:',
  long: 'check binary text tag zero ignore-missing quiet status strict warn algorithm:',
})

/** Programs that read text or bytes and print. */
export const textPolicies: Readonly<Record<string, Policy>> = {
  cat: harmless({ short: 'AbeEnstTuv', long: 'show-all number number-nonblank squeeze-blank', filesFrom: 0 }),
  head: harmless({
    short: 'n:c:qvz',
    long: 'lines: bytes: quiet silent verbose',
    takesNumber: true,
    filesFrom: 0,
  }),
  tail: harmless({
    short: 'n:c:qvzfFrs:',
    long: 'lines: bytes: quiet silent verbose follow:: pid: retry sleep-interval:',
    takesNumber: true,
    filesFrom: 0,
  }),
  wc: harmless({ short: 'cmlLw', long: 'bytes chars lines words max-line-length', filesFrom: 0 }),
  nl: harmless({ short: 'b:d:f:h:i:l:n:ps:v:w:', filesFrom: 0 }),
  tac: harmless({ short: 'brs:', filesFrom: 0 }),
  rev: harmless({ filesFrom: 0 }),
  cut: harmless({
    short: 'b:c:d:f:nsz',
    long: 'bytes: characters: delimiter: fields: complement output-delimiter: only-delimited',
    filesFrom: 0,
  }),
  tr: harmless({ short: 'cCdst', long: 'complement delete squeeze-repeats truncate-set1' }),
  paste: harmless({ short: 'd:sz', filesFrom: 0 }),
  join: harmless({ short: 'a:e:ij:o:t:v:1:2:z', filesFrom: 0 }),
  fold: harmless({ short: 'bsw:', filesFrom: 0 }),
  fmt: harmless({ short: 'cp:stuw:g:', filesFrom: 0 }),
  pr: harmless({
    short: 'acdD:e::fFh:i::Jl:mn::N:o:rs::S::tTvw:W:',
    long: 'across columns: date-format: double-space expand-tabs:: first-line-number: form-feed header: indent: join-lines length: merge no-file-warnings number-lines:: omit-header omit-pagination output-tabs:: page-width: pages: sep-string:: separator:: show-control-chars show-nonprinting width:',
    takesNumber: true,
    filesFrom: 0,
  }),
  expand: harmless({ short: 'it:', filesFrom: 0 }),
  unexpand: harmless({ short: 'at:', filesFrom: 0 }),
  column: harmless({ short: 'txc:s:o:N:n:J', filesFrom: 0 }),
  comm: harmless({ short: '123iz', filesFrom: 0 }),
  cmp: harmless({
    short: 'bi:ln:s',
    long: 'print-bytes ignore-initial: verbose bytes: quiet silent',
    filesFrom: 0,
  }),
  diff: harmless({
    short: 'abBcC:dD:eEF:hiI:lL:nNpqrsS:tTuU:vwW:x:X:yZ',
    long: 'brief unified:: context:: recursive new-file side-by-side color:: ignore-all-space ignore-space-change ignore-blank-lines text width: label: exclude: stat minimal',
    filesFrom: 0,
  }),
  od: harmless({ short: 'A:j:N:S:t:vw::abcdfilosx', filesFrom: 0 }),
  hexdump: harmless({ short: 'bcCde:f:n:os:vx', filesFrom: 0 }),
  strings: harmless({ short: 'afn:t:oe:', filesFrom: 0 }),
  numfmt: harmless({ long: 'to: from: suffix: padding: field: header:: grouping' }),
  tsort: harmless({ filesFrom: 0 }),
  md5sum: sum,
  sha1sum: sum,
  sha224sum: sum,
  sha256sum: sum,
  sha384sum: sum,
  sha512sum: sum,
  shasum: sum,
  b2sum: sum,
  cksum: sum,
  // A second operand is the output.
  uniq: listed({
    short: 'cdDiuzf:s:w:',
    long: 'count repeated all-repeated:: ignore-case unique skip-fields: skip-chars: check-chars: zero-terminated',
    maxOperands: 1,
    optionsFirst: true,
    filesFrom: 0,
  }),
  xxd: listed({ short: 'abeEipuc:g:l:o:s:', maxOperands: 1, optionsFirst: true, filesFrom: 0 }),
  base64: listed({
    short: 'dDw:',
    long: 'decode wrap: ignore-garbage',
    filesFrom: 0,
    maxOperands: 1,
    optionsFirst: true,
  }),
  sort: listed({
    short: 'bcCdfghiMmnRrsuVzk:t:S:',
    long: 'ignore-leading-blanks dictionary-order ignore-case general-numeric-sort human-numeric-sort month-sort numeric-sort random-sort reverse sort: version-sort check:: key: merge stable field-separator: unique zero-terminated buffer-size: parallel:',
    refusesGlobs: true,
    filesFrom: 0,
  }),
  jq: listed({
    short: 'rRsncCMaSej',
    long: 'raw-output raw-input slurp null-input compact-output color-output monochrome-output ascii-output sort-keys exit-status join-output tab unbuffered',
    filesFrom: 1,
  }),
}
