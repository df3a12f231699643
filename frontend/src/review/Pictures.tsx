import { ActivityPicture } from './ActivityPicture'
import { RefusedPicture, UsedPicture } from './FunctionPictures'
import type { Filter, Stats } from './shapes'
import { WaitsPicture } from './WaitsPicture'

/** The pictures of a log: activity, functions, and how long people took. */
const Pictures = ({
  stats,
  filter,
  onFilter,
}: {
  stats: Stats
  filter: Filter
  onFilter: (filter: Filter) => void
}) => (
  <div className="review-pictures">
    <ActivityPicture stats={stats} filter={filter} onFilter={onFilter} />
    <UsedPicture stats={stats} filter={filter} onFilter={onFilter} />
    <div className="review-pictures-column">
      <RefusedPicture stats={stats} filter={filter} onFilter={onFilter} />
      <WaitsPicture stats={stats} />
    </div>
  </div>
)
export default Pictures
