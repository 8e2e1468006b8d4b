/**
 * Returns a player's name for texts without badges, such as link previews and pictures. A bot's name says that it is a
 * bot.
 */
export function toMarkedName({ username, isBot }: { readonly username: string; readonly isBot: boolean }): string {
  return isBot ? `${username} (bot)` : username
}
