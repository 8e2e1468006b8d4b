import { formatCount } from '@papermoon/format'

/** Formats a count with its noun, such as `1 token` or `1,200 tokens`. `things` is an irregular plural. */
export function counted(count: number, thing: string, things = `${thing}s`): string {
  return `${formatCount(count)} ${count === 1 ? thing : things}`
}
