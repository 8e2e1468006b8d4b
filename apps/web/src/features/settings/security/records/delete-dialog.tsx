import { Button } from '../../../../components/form/button.tsx'
import { Dialog } from '../../../../components/layout/dialog.tsx'
import classes from './your-data.module.css'

interface DeleteDialogProps {
  readonly onDelete: () => void
  readonly onClose: () => void
}

/** Explains what a deletion removes and keeps, and confirms it. */
export function DeleteDialog({ onDelete, onClose }: DeleteDialogProps) {
  return (
    <Dialog title="Delete your account?" onClose={onClose}>
      <div className={classes.dialog}>
        <ul className={classes.list}>
          <li>For seven days nothing changes, and you can keep the account after all.</li>
          <li>Then your name, e-mail, wallet, picture, password, keys, sessions and second factors are gone.</li>
          <li>Your balance and your bags are frozen: nobody can use them any more.</li>
          <li>Your trades and tokens stay, as those of a “deleted player”. Your tokens trade on.</li>
          <li>If you won a giveaway, its wallet is kept for 90 days, so that the reward can reach you.</li>
        </ul>
        <div className={classes.answers}>
          <Button look="quiet" data-autofocus onClick={onClose}>
            Stay
          </Button>
          <Button className={classes.sure} onClick={onDelete}>
            Delete in seven days
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
