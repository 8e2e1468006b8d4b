import { Skeleton } from '../../components/feedback/skeleton.tsx'
import { Ago } from '../../components/figures/ago.tsx'
import { BotMark } from '../../components/tokens/bot-mark.tsx'
import { PlayerAvatar } from '../../components/tokens/player-avatar.tsx'
import type { Profile } from '../../lib/api/api.ts'
import classes from './profile-header.module.css'

const AVATAR_PX = 84

/** The player's picture, name and figures; undefined while loading. */
export function ProfileHeader({ user }: { user: Profile['user'] | undefined }) {
  return (
    <header className={classes.header}>
      <div className={classes.stub}>
        {user && (
          <PlayerAvatar
            username={user.username}
            pictureUrl={user.profilePictureUrl}
            emoji={user.emoji}
            size={AVATAR_PX}
          />
        )}
      </div>
      <div className={classes.body}>
        <h1 className={classes.title}>Trader Profile</h1>
        {user === undefined ? (
          <>
            <p className={classes.name}>
              <Skeleton width={260} height="0.8em" />
            </p>
            <p className={classes.since}>
              <Skeleton width={170} height="1em" />
            </p>
            <span className="visually-hidden" role="status">
              Loading profile
            </span>
          </>
        ) : (
          <>
            <p className={classes.name} title={user.username}>
              {user.username} {user.isBot && <BotMark />}
            </p>
            {user.about !== null && <p className={classes.about}>{user.about}</p>}
            <p className={classes.since}>
              Joined <Ago time={user.createdAt} />
            </p>
          </>
        )}
      </div>
    </header>
  )
}
