/** What makes an e-mail address unique: it, without regard to case. */
export function emailKey(email: string): string {
  return email.toLowerCase()
}
