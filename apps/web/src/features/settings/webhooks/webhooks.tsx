import { useState } from 'react'
import { Panel } from '../../../components/layout/panel.tsx'
import classes from '../api-keys/api-keys.module.css'
import { FreshSecret } from './fresh-secret.tsx'
import { NewWebhookForm } from './new-webhook-form.tsx'
import { WebhookList } from './webhook-list.tsx'

interface Fresh {
  readonly title: string
  readonly secret: string
  readonly note: string
}

const SHOWN_ONCE = 'Copy it now and keep it safe: it is shown this once.'

/** The player's webhooks. */
export function Webhooks() {
  const [fresh, setFresh] = useState<Fresh | null>(null)
  const [isBack, setBack] = useState(false)
  const done = () => {
    setFresh(null)
    setBack(true)
  }
  return (
    <Panel title="Webhooks" level={3}>
      <p className={classes.text}>
        An address of yours that is told what happens, the moment it does. Or a channel of Discord. It has to answer a
        challenge first, and each message is signed.
      </p>
      {fresh === null ? (
        <NewWebhookForm
          isBack={isBack}
          onMade={({ host, secret }) =>
            setFresh({ title: `The secret of ${host}`, secret, note: `Messages are signed with it. ${SHOWN_ONCE}` })
          }
        />
      ) : (
        <FreshSecret {...fresh} onDone={done} />
      )}
      <WebhookList
        onSecret={({ host, secret }) =>
          setFresh({
            title: `The new secret of ${host}`,
            secret,
            note: `For a day, messages are signed with the one before too. ${SHOWN_ONCE}`,
          })
        }
      />
    </Panel>
  )
}
