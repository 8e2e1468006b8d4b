import { Panel } from '../../components/layout/panel.tsx'
import { hasJoined } from '../../lib/fairs/fair-time.ts'
import { useFairList } from '../../lib/fairs/use-fair-list.ts'
import { FairRows } from './fair-rows.tsx'

/** Lists the fairs that the player entered recently. Renders nothing if there are none. */
export function OwnFairs() {
  const { data } = useFairList()
  const fairs = data === undefined ? [] : [...data.running, ...data.upcoming, ...data.ended].filter(hasJoined)
  if (fairs.length === 0) return null
  return (
    <Panel title="Your fairs">
      <FairRows fairs={fairs} />
    </Panel>
  )
}
