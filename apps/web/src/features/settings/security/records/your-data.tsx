import { useState } from 'react'
import { Button } from '../../../../components/form/button.tsx'
import { Dialog } from '../../../../components/layout/dialog.tsx'
import { Panel } from '../../../../components/layout/panel.tsx'
import { type CurrentUser, cache, client } from '../../../../lib/api/api.ts'
import { longTime, setDeletionDue, useKeepAccount } from '../../../../lib/market/deletion.ts'
import { showToast } from '../../../../lib/ui/toasts.ts'
import { Option } from '../../api-keys/option.tsx'
import settings from '../../settings.module.css'
import { useConfirmedMutation } from '../confirm/use-confirmed.tsx'
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
  const prepare = useConfirmedMutation(() => client.account.prepareExport.mutate(), {
    failure: ['Download Refused', 'Failed to download your data'],
    onSuccess: ({ url }) => {
      void cache.account.events.invalidate()
      startDownload(url)
    },
  })
  return (
    <div className={classes.part}>
      <p className={settings.text}>
        Take it with you: profile, sessions, trades, launches, holdings and everything else, as one JSON file.
      </p>
      <Button look="quiet" disabled={prepare.isPending} onClick={() => prepare.mutate()}>
        {prepare.isPending ? 'Preparing...' : 'Download my data'}
      </Button>
      {prepare.dialog}
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
  const ask = useConfirmedMutation((keepPosts: boolean) => client.account.askDeletion.mutate({ keepPosts }), {
    failure: ['Deletion Refused', 'Failed to delete the account'],
    onSuccess: ({ deletionDueAt }) => {
      showToast({ title: 'Deletion Asked For', message: 'You have seven days to keep the account after all.' })
      setDeletionDue(deletionDueAt)
    },
  })
  const go = (keepPosts: boolean) => {
    setAsking(false)
    ask.mutate(keepPosts)
  }
  return (
    <div className={classes.part}>
      <p className={settings.text}>
        Leave the fair for good. You have seven days to change your mind; until then everything stays as it is.
      </p>
      <Button look="quiet" className={classes.danger} disabled={ask.isPending} onClick={() => setAsking(true)}>
        {ask.isPending ? 'Deleting...' : 'Delete my account'}
      </Button>
      {isAsking && <DeleteDialog onDelete={go} onClose={() => setAsking(false)} />}
      {ask.dialog}
    </div>
  )
}

function Keep({ dueAt }: { dueAt: string }) {
  const { keep, isPending } = useKeepAccount()
  return (
    <div className={classes.part}>
      <p className={settings.text}>
        Your account will be deleted on <strong>{longTime(dueAt)}</strong>. Until then you can keep it.
      </p>
      <Button autoFocus disabled={isPending} onClick={keep}>
        {isPending ? 'Keeping it...' : 'Keep my account'}
      </Button>
    </div>
  )
}

interface DeleteDialogProps {
  readonly onDelete: (keepPosts: boolean) => void
  readonly onClose: () => void
}

/** Explains what a deletion removes and keeps, and confirms it. */
function DeleteDialog({ onDelete, onClose }: DeleteDialogProps) {
  const [keepsPosts, setKeepsPosts] = useState(false)
  return (
    <Dialog title="Delete your account?" onClose={onClose}>
      <div className={classes.dialog}>
        <ul className="bullets">
          <li>For seven days nothing changes, and you can keep the account after all.</li>
          <li>Then your name, e-mail, wallet, picture, password, keys, sessions and second factors are gone.</li>
          <li>Your balance and your bags are frozen: nobody can use them any more.</li>
          <li>Your trades and tokens stay, as those of a “deleted player”. Your tokens trade on.</li>
          <li>If you won a giveaway, its wallet is kept for 90 days, so that the reward can reach you.</li>
        </ul>
        <Option
          type="checkbox"
          title="Let my posts stay"
          note="As those of a “deleted player”. Otherwise their words are erased."
          isOn={keepsPosts}
          onChange={setKeepsPosts}
        />
        <div className={classes.answers}>
          <Button look="quiet" data-autofocus onClick={onClose}>
            Stay
          </Button>
          <Button className={classes.sure} onClick={() => onDelete(keepsPosts)}>
            Delete in seven days
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
