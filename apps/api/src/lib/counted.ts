/** Formats a count with its noun, such as `1 token` or `2 tokens`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}

/** Formats an age in whole hours. From two days on, formats it in days. */
export function describeAge(hours: number): string {
  if (hours < 1) return 'less than an hour'
  return hours < 48 ? counted(Math.floor(hours), 'hour') : counted(Math.floor(hours / 24), 'day')
}
