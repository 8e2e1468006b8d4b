/** A player's name in texts without marks, such as link previews and pictures: a bot's says so. */
export function toMarkedName({ username, isBot }: { readonly username: string; readonly isBot: boolean }): string {
  return isBot ? `${username} (bot)` : username
}
