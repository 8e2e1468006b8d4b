/**
 * Returns a player's name for texts without badges, such as link previews and pictures. The name of a bot says that it
 * is a bot.
 */
export function toMarkedName({ username, isBot }: { readonly username: string; readonly isBot: boolean }): string {
  return isBot ? `${username} (bot)` : username
}
