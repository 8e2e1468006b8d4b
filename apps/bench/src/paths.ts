import { join } from 'node:path'

/** Root of the repository. */
export const ROOT = join(import.meta.dirname, '../../..')
/** Folder with what benches cache between runs. This folder is not part of the repository. */
export const BENCH_FOLDER = join(ROOT, '.bench')
