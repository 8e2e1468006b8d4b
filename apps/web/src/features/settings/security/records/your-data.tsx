import { useState } from 'react'
import { ActionButton } from '../../../../components/form/action-button.tsx'
import { Button } from '../../../../components/form/button.tsx'
import { useConfirmedMutation } from '../../../../components/form/confirmation.tsx'
import { Option } from '../../../../components/form/option.tsx'
import { Dialog } from '../../../../components/layout/dialog.tsx'
import { Panel } from '../../../../components/layout/panel.tsx'
import { type CurrentUser, cache, client } from '../../../../lib/api/api.ts'
import { formatLongMoment } from '../../../../lib/format/moment-text.ts'
import { setDeletionDue, useKeepAccount } from '../../../../lib/market/deletion.ts'
import { showToast } from '../../../../lib/ui/toasts.ts'
import classes from './your-data.module.css'

export function YourData({ user }: { user: CurrentUser }) {
  return (
    <Panel title="Your data">
      <Download />
      {user.deletionDueAt === null ? <Delete /> : <Keep dueAt={user.deletionDueAt} />}
    </Panel>
  )
}

function Download() {
  return (
    <div className={`stack left gap-s ${classes.part}`}>
      <p className="dim pretty">
        Download everything that we store about you as one JSON file: profile, sessions, trades, launches, holdings and
        more.
      </p>
      <ActionButton
        label="Download my data"
        busy="Preparing..."
        act={() => client.account.prepareExport.mutate()}
        failure="Could not download your data"
        onSuccess={({ url }) => {
          void cache.account.events.invalidate()
          startDownload(url)
        }}
      />
    </div>
  )
}

/** Use a link, because the browser can then write a file of any size to disk. */
function startDownload(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}

function Delete() {
  const [isAsking, setAsking] = useState(false)
  const ask = useConfirmedMutation((keepPosts: boolean) => client.account.askDeletion.mutate({ keepPosts }), {
    failure: 'Could not delete the account',
    onSuccess: ({ deletionDueAt }) => {
      showToast({
        title: 'Account deletion requested',
        message: 'You have seven days to change your mind.',
      })
      setDeletionDue(deletionDueAt)
    },
  })
  const go = (keepPosts: boolean) => {
    setAsking(false)
    ask.mutate(keepPosts)
  }
  return (
    <div className={`stack left gap-s ${classes.part}`}>
      <p className="dim pretty">
        Delete your account permanently. Nothing changes for seven days, so you can still change your mind.
      </p>
      <Button look="quiet" className={classes.danger} disabled={ask.isPending} onClick={() => setAsking(true)}>
        {ask.isPending ? 'Deleting...' : 'Delete my account'}
      </Button>
      {isAsking && <DeleteDialog onDelete={go} onClose={() => setAsking(false)} />}
    </div>
  )
}

function Keep({ dueAt }: { dueAt: string }) {
  const { keep, isPending } = useKeepAccount()
  return (
    <div className={`stack left gap-s ${classes.part}`}>
      <p className="dim pretty">
        Your account will be deleted on <strong>{formatLongMoment(dueAt)}</strong>. You can keep your account until
        then.
      </p>
      <Button autoFocus disabled={isPending} onClick={keep}>
        {isPending ? 'Keeping account...' : 'Keep my account'}
      </Button>
    </div>
  )
}

interface DeleteDialogProps {
  readonly onDelete: (keepPosts: boolean) => void
  readonly onClose: () => void
}

function DeleteDialog({ onDelete, onClose }: DeleteDialogProps) {
  const [keepsPosts, setKeepsPosts] = useState(false)
  return (
    <Dialog title="Delete your account?" onClose={onClose}>
      <div className="stack gap-l p-xs-s">
        <ul className="bullets">
          <li>Nothing changes for seven days, and you can still keep your account.</li>
          <li>Then we delete your name, email, wallet, picture, password, keys, sessions and second factors.</li>
          <li>We freeze your balance and holdings, so nobody can use them any more.</li>
          <li>Your trades and tokens remain under the name “deleted player”. Others can still trade your tokens.</li>
          <li>If you won a giveaway, we keep your wallet address for 90 days so that the reward can reach you.</li>
        </ul>
        <Option
          type="checkbox"
          title="Keep my posts"
          note="We keep them under the name “deleted player”. Otherwise we erase their text."
          isOn={keepsPosts}
          onChange={setKeepsPosts}
        />
        <div className="answers">
          <Button look="quiet" data-autofocus onClick={onClose}>
            Keep my account
          </Button>
          <Button look="danger" onClick={() => onDelete(keepsPosts)}>
            Delete in seven days
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
