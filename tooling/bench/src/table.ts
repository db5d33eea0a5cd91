import { cpus, totalmem } from 'node:os'
import type { Figure } from './figure.ts'

/** The page docs/benchmarks.md: one table a benchmark, made from the figures of one run. */
export function renderPage(figures: readonly Figure[]): string {
  const names = [...new Set(figures.map(({ bench }) => bench))]
  return [
    '# Benchmarks',
    '',
    'Made by `npm run bench`; do not edit. Ours and the bare thing beside it were measured in the same run: read the ratios,',
    `absolute times depend on the machine (this one: ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}).`,
    ...names.flatMap((name) => [
      '',
      `## ${name}`,
      '',
      ...renderTable(figures.filter(({ bench }) => bench === name)),
    ]),
    '',
  ].join('\n')
}

function renderTable(figures: readonly Figure[]): readonly string[] {
  return [
    '| figure | ours | bare | ratio | target | holds |',
    '| --- | ---: | ---: | ---: | --- | --- |',
    ...figures.map(
      ({ figure, ours, bare, ratio, target = '', ok }) =>
        `| ${figure} | ${round(ours)} | ${round(bare)} | ${round(ratio)} | ${target} | ${ok === undefined ? '' : ok ? 'yes' : '**no**'} |`,
    ),
  ]
}

/** What could not be measured (JSON has no NaN) stays empty. */
function round(value: number | null | undefined): string {
  if (value === undefined || value === null) return ''
  return Number.isInteger(value) ? value.toLocaleString('en-US') : value.toPrecision(3)
}
