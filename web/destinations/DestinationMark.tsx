import { KindMark, markOf } from '../ui/KindMark.tsx';
import { marks } from './marks.tsx';

interface DestinationMarkProps {
  type: string;
  /** The name of the kind, for kinds without a mark of their own. */
  typeName?: string | undefined;
  size?: number;
}

/** The mark of a kind of destination; its name always stands beside it. */
export const DestinationMark = ({ type, typeName, size }: DestinationMarkProps) => (
  <KindMark mark={markOf(marks, type, typeName)} size={size} />
);
