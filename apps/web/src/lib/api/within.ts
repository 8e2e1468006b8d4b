/** Settles with `work`, or after `ms`; what came of it does not matter. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms))])
}
