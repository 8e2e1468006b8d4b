/**
 * Max time that a test waits for a fact. It only keeps a test from hanging: a loaded machine takes seconds, and a place of the
 * journal settles after 45 s at the latest, since open transactions of other tests' databases count.
 */
export const WAIT_MAX_MS = 120_000
