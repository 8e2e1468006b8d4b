interface PlayerAvatarProps {
  readonly username: string
  readonly pictureUrl: string | null
  readonly emoji?: string | null
  readonly size?: number
}

/** Shows a player's picture, or an emoji or the first letter of the name if there is no picture. */
export function PlayerAvatar({ username, pictureUrl, emoji = null, size = 30 }: PlayerAvatarProps) {
  if (pictureUrl !== null)
    return <img className="fixed round heavy boxed on-moon" src={pictureUrl} alt="" width={size} height={size} />
  const [first = '?'] = username
  return (
    <span
      className="fixed round heavy boxed on-moon"
      style={{ width: size, height: size, fontSize: Math.max(16, size * 0.46) }}
      aria-hidden="true"
    >
      {emoji === null ? first.toUpperCase() : <span className="emoji regular">{emoji}</span>}
    </span>
  )
}

/** Shows a player's picture if only the id is known. The server draws a picture for players who have none. */
export function PlayerFace({ id, size = 24 }: { readonly id: number; readonly size?: number }) {
  return (
    <img
      className="fixed round heavy boxed on-moon"
      src={`/objects/faces/${id}`}
      alt=""
      width={size}
      height={size}
      loading="lazy"
    />
  )
}
