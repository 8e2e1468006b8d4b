/** The key by which e-mail addresses are unique: case-insensitive. */
export function toEmailKey(email: string): string {
  return email.toLowerCase()
}
