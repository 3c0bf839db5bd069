import { KindMark, markOf } from '../../ui/KindMark.tsx';
import { marks } from './marks.tsx';

interface SourceLogoProps {
  type: string;
  /** The name of the kind, for kinds without a mark of their own. */
  typeName?: string | undefined;
  size?: number;
}

/** The mark of a kind of data source; its name always stands beside it. */
export const SourceLogo = ({ type, typeName, size }: SourceLogoProps) => <KindMark mark={markOf(marks, type, typeName)} size={size} />;
