import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Every entry below a folder with its bytes, by path; names are kept as bytes. */
export function snapshot(folder: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  visit(Buffer.from(folder), '')
  return found

  function visit(place: Buffer, name: string): void {
    const facts = lstatSync(place)
    if (facts.isSymbolicLink()) found[name] = `-> ${readlinkSync(place, 'latin1')}`
    else if (facts.isFile()) found[name] = readFileSync(place, 'latin1')
    else if (!facts.isDirectory()) found[name] = 'special'
    else {
      found[`${name}/`] = ''
      for (const entry of readdirSync(place, { encoding: 'buffer' })) {
        visit(Buffer.concat([place, Buffer.from('/'), entry]), `${name}/${entry.toString('latin1')}`)
      }
    }
  }
}
