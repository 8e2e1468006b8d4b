import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../components/form/button.tsx'
import { Panel } from '../../../../components/layout/panel.tsx'
import { type CurrentUser, cache, client } from '../../../../lib/api/api.ts'
import { getSentence } from '../../../../lib/api/failure.ts'
import { longTime, setDeletionDue, useKeepAccount } from '../../../../lib/market/deletion.ts'
import { showFailure, showToast } from '../../../../lib/ui/toasts.ts'
import { useConfirmed } from '../confirm/use-confirmed.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import classes from './your-data.module.css'

/** The data export and the deletion of the account. */
export function YourData({ user }: { user: CurrentUser }) {
  return (
    <Panel title="Your data" level={3}>
      <Download />
      {user.deletionDueAt === null ? <Delete /> : <Keep dueAt={user.deletionDueAt} />}
    </Panel>
  )
}

function Download() {
  const confirmed = useConfirmed(() => client.account.prepareExport.mutate())
  const prepare = useMutation({
    mutationFn: () => confirmed.run(),
    onSuccess: ({ url }) => {
      void cache.account.events.invalidate()
      startDownload(url)
    },
    onError: (error) => showFailure('Download Refused', getSentence(error), 'Failed to download your data'),
  })
  return (
    <div className={classes.part}>
      <p className={classes.text}>
        Take it with you: profile, sessions, trades, launches, holdings and everything else, as one JSON file.
      </p>
      <Button look="quiet" disabled={prepare.isPending} onClick={() => prepare.mutate()}>
        {prepare.isPending ? 'Preparing...' : 'Download my data'}
      </Button>
      {confirmed.dialog}
    </div>
  )
}

/** Lets the browser stream the file to disk, however large it is. */
function startDownload(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}

function Delete() {
  const [isAsking, setAsking] = useState(false)
  const confirmed = useConfirmed(() => client.account.askDeletion.mutate())
  const ask = useMutation({
    mutationFn: () => confirmed.run(),
    onSuccess: ({ deletionDueAt }) => {
      showToast({ title: 'Deletion Asked For', message: 'You have seven days to keep the account after all.' })
      setDeletionDue(deletionDueAt)
    },
    onError: (error) => showFailure('Deletion Refused', getSentence(error), 'Failed to delete the account'),
  })
  const go = () => {
    setAsking(false)
    ask.mutate()
  }
  return (
    <div className={classes.part}>
      <p className={classes.text}>
        Leave the fair for good. You have seven days to change your mind; until then everything stays as it is.
      </p>
      <Button look="quiet" className={classes.danger} disabled={ask.isPending} onClick={() => setAsking(true)}>
        {ask.isPending ? 'Deleting...' : 'Delete my account'}
      </Button>
      {isAsking && <DeleteDialog onDelete={go} onClose={() => setAsking(false)} />}
      {confirmed.dialog}
    </div>
  )
}

function Keep({ dueAt }: { dueAt: string }) {
  const { keep, isPending } = useKeepAccount()
  return (
    <div className={classes.part}>
      <p className={classes.text}>
        Your account will be deleted on <strong>{longTime(dueAt)}</strong>. Until then you can keep it.
      </p>
      <Button autoFocus disabled={isPending} onClick={keep}>
        {isPending ? 'Keeping it...' : 'Keep my account'}
      </Button>
    </div>
  )
}
