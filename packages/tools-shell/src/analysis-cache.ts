import { analyzeShell, type ShellAnalysis } from '@x/shell-analysis'

/** Commands remembered; the framework asks several times about each call, and seldom about an old one. */
const MAX_ENTRIES = 64

/** Makes an `analyzeShell` that remembers the last commands it was asked about. */
export function createAnalysisCache(): (command: string) => ShellAnalysis {
  // A map keeps the order of insertion: the one not used for longest comes first.
  const known = new Map<string, ShellAnalysis>()
  return (command) => {
    const analysis = known.get(command) ?? analyzeShell(command)
    known.delete(command)
    known.set(command, analysis)
    const [oldest] = known.keys()
    if (known.size > MAX_ENTRIES && oldest !== undefined) known.delete(oldest)
    return analysis
  }
}
