import { useEffect, useRef, useState } from 'react'
import { FetchFailed } from '../../../../components/feedback/fetch-failed.tsx'
import { Skeleton } from '../../../../components/feedback/skeleton.tsx'
import { Panel } from '../../../../components/layout/panel.tsx'
import { cache, trpc } from '../../../../lib/api/api.ts'
import { AuthenticatorOff } from './authenticator-off.tsx'
import { AuthenticatorOn } from './authenticator-on.tsx'
import classes from './factors.module.css'
import { RecoveryCodes } from './recovery-codes.tsx'

/** The authenticator app (a second factor at login) and its recovery codes. */
export function AuthenticatorPanel() {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const [isBack, setBack] = useState(false)
  // Focus the heading: the focused element was removed.
  useEffect(() => {
    if (isBack) heading.current?.focus()
  }, [isBack])
  const show = (made: readonly string[]) => {
    setBack(false)
    setCodes(made)
    void cache.secondFactor.status.invalidate()
  }
  const done = () => {
    setCodes(null)
    setBack(true)
  }
  return (
    <Panel title="Authenticator app" level={3} heading={heading}>
      {codes === null ? (
        <Status onCodes={show} onOff={() => setBack(true)} />
      ) : (
        <RecoveryCodes codes={codes} onDone={done} />
      )}
    </Panel>
  )
}

interface StatusProps {
  readonly onCodes: (codes: readonly string[]) => void
  readonly onOff: () => void
}

function Status({ onCodes, onOff }: StatusProps) {
  const status = trpc.secondFactor.status.useQuery()
  if (status.isPending) {
    return (
      <div role="status" className={classes.form}>
        <span className="visually-hidden">Loading</span>
        <Skeleton width="100%" height={48} />
        <Skeleton width={120} height={44} />
      </div>
    )
  }
  if (status.isError) {
    return (
      <FetchFailed
        level={4}
        title="Your second factor could not be fetched"
        error={status.error}
        onRetry={() => void status.refetch()}
      />
    )
  }
  return status.data.isOn ? (
    <AuthenticatorOn status={status.data} onCodes={onCodes} onOff={onOff} />
  ) : (
    <AuthenticatorOff onCodes={onCodes} />
  )
}
