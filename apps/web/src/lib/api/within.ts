/** Settles with `work`, or resolves after `ms` if that comes first. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms))])
}
