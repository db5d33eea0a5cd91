/** A signal ended the program before its session had begun. */
export class StoppedBySignal extends Error {
  /** What the program exits with. */
  readonly exitCode: number

  constructor(exitCode: number) {
    super('stopped by a signal')
    this.name = 'StoppedBySignal'
    this.exitCode = exitCode
  }
}
