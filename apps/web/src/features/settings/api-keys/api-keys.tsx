import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Panel } from '../../../components/layout/panel.tsx'
import classes from './api-keys.module.css'
import { FreshKey } from './fresh-key.tsx'
import { KeyList } from './key-list.tsx'
import { NewKeyForm } from './new-key-form.tsx'

/** The player's API keys. */
export function ApiKeys() {
  const [fresh, setFresh] = useState<{ name: string; key: string } | null>(null)
  const [isBack, setBack] = useState(false)
  const done = () => {
    setFresh(null)
    setBack(true)
  }
  return (
    <Panel title="API keys" level={3}>
      <p className={classes.text}>
        A bot with a key plays in your name, over the same calls as this page. The{' '}
        <Link to="/developers" className={classes.link}>
          page for developers
        </Link>{' '}
        shows how, with the key filled in.
      </p>
      {fresh === null ? (
        <NewKeyForm isBack={isBack} onMade={setFresh} />
      ) : (
        <FreshKey name={fresh.name} secret={fresh.key} onDone={done} />
      )}
      <KeyList />
    </Panel>
  )
}
