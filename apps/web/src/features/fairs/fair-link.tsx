import { Link } from '@tanstack/react-router'
import type { Fair } from '../../lib/api/api.ts'
import classes from './fairs.module.css'

export function FairLink({ fair }: { fair: Pick<Fair, 'id' | 'name'> }) {
  return (
    <Link to="/fairs/{-$id}" params={{ id: String(fair.id) }} className={`${classes.link} cut`} title={fair.name}>
      {fair.name}
    </Link>
  )
}
