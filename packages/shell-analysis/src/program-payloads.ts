import type { Payload, Starter } from './payload.ts'

/** Words with which a program runs a command of its own: an option, or a call in the language it reads. */
const commandWords: ReadonlyMap<string, RegExp> = new Map([
  ...['awk', 'gawk', 'mawk', 'nawk'].map(
    (name) => [name, /\bsystem\s*\(|\|\s*(getline\b|["&])|["\w]\s*\|\s*getline\b/] as const,
  ),
  [
    'tar',
    /^(--(to-command|checkpoint-action|use-compress-program|rsh-command|rmt-command|info-script|new-volume-script)(=|$)|-I)/,
  ],
  ['rsync', /^(-e|--rsh|--rsync-path)/],
  ['ssh', /ProxyCommand|LocalCommand|PermitLocalCommand/],
  ['scp', /^-S|ProxyCommand/],
  ['zip', /^(-T|-TT|--unzip-command)/],
])

/** Such a command is in a language that is not read here: what it runs is not known. */
export function programPayloads({ program, rest }: Starter): Payload[] {
  const pattern = commandWords.get(program)
  const word = pattern && rest.find(({ value }) => value !== undefined && pattern.test(value))
  return word ? [{ kind: 'problem', message: `What ${program} runs with this is not known`, word }] : []
}

/** The programs that `programPayloads` knows. */
export const programsWithCommands: readonly string[] = [...commandWords.keys()]
