import { FetchFailed } from '../../../../components/feedback/fetch-failed.tsx'
import { Skeleton } from '../../../../components/feedback/skeleton.tsx'
import { Panel } from '../../../../components/layout/panel.tsx'
import { trpc } from '../../../../lib/api/api.ts'
import { canUsePasskeys } from '../../../../lib/api/passkeys.ts'
import rows from '../../settings-list.module.css'
import classes from './factors.module.css'
import { NewPasskeyForm } from './new-passkey-form.tsx'
import { PasskeyRow } from './passkey-row.tsx'

/** The player's passkeys. */
export function PasskeysPanel() {
  return (
    <Panel title="Passkeys" level={3}>
      <p className={classes.text}>
        Sign in with your finger, your face or the PIN of your device. A passkey cannot be guessed, typed on a wrong
        page or stolen from us, and it counts for the password and the code together.
      </p>
      <Passkeys />
    </Panel>
  )
}

function Passkeys() {
  const list = trpc.passkeys.list.useQuery()
  if (list.isPending) return <PasskeysSkeleton />
  if (list.isError) {
    return (
      <FetchFailed
        level={4}
        title="Your passkeys could not be fetched"
        error={list.error}
        onRetry={() => void list.refetch()}
      />
    )
  }
  const { origin, passkeys } = list.data
  const obstacle = findObstacle(origin)
  return (
    <>
      {obstacle === null ? <NewPasskeyForm count={passkeys.length} /> : <p className={classes.notice}>{obstacle}</p>}
      {passkeys.length > 0 && (
        <ul className={rows.list} aria-label="Your passkeys">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
    </>
  )
}

/** Why no passkey can be added here, as a sentence; null if one can. */
function findObstacle(origin: string | null): string | null {
  if (origin === null) return 'Passkeys work at an https address or at localhost only, and this site is at neither.'
  if (origin !== location.origin) return `Passkeys work at ${origin} only: please open the settings there.`
  return canUsePasskeys() ? null : 'This browser knows no passkeys.'
}

function PasskeysSkeleton() {
  return (
    <div role="status">
      <span className="visually-hidden">Loading your passkeys</span>
      <Skeleton width="100%" height={46} />
    </div>
  )
}
