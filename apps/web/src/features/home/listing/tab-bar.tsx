import { Segmented } from '../../../components/form/segmented.tsx'
import { TABS, type Tab } from '../grid/columns.ts'
import classes from './tab-bar.module.css'

interface TabBarProps {
  readonly tab: Tab
  readonly onTab: (tab: Tab) => void
}

/** Tabs for the whole list and the columns, on screens without room for both. */
export function TabBar({ tab, onTab }: TabBarProps) {
  return (
    <div className={classes.bar}>
      <Segmented label="Which tokens" options={TABS} value={tab} onChange={onTab} />
    </div>
  )
}
