/** `1 token`, `1,200 tokens`; a plural that is not the word and an s is given. */
export function counted(count: number, thing: string, things = `${thing}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? thing : things}`
}
