import { join } from 'node:path'

/** The folder of the repository. */
export const ROOT = join(import.meta.dirname, '../../..')
/** What benches leave for their next run; not part of the repository. */
export const BENCH_FOLDER = join(ROOT, '.bench')
