import { pipeline, type Readable, Transform } from 'node:stream'
import { BackupError } from '../backup-error.ts'

const STALL_MAX_MS = 120_000

/** The same stream, which fails with `${sentence}.` once nothing has passed for two minutes. */
export function endWhenStalled(source: Readable, sentence: string): Readable {
  const stalled = () => passed.destroy(new BackupError(`${sentence}.`))
  const timer = setTimeout(stalled, STALL_MAX_MS).unref()
  const passed = new Transform({
    transform: (data: Buffer, _encoding, done) => {
      timer.refresh()
      done(null, data)
    },
  })
  // Errors of either end reach the reader of `passed`.
  pipeline(source, passed, () => clearTimeout(timer))
  return passed
}
