import { formatCount } from '@papermoon/format'

/** Formats a count with its noun: `1 token`, `1,200 tokens`. `things` is an irregular plural. */
export function counted(count: number, thing: string, things = `${thing}s`): string {
  return `${formatCount(count)} ${count === 1 ? thing : things}`
}
