/** What makes an e-mail address unique: it, without regard to case. */
export function toEmailKey(email: string): string {
  return email.toLowerCase()
}
