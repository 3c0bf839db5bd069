import { KindMark, type Mark, markOf } from '../ui/KindMark.tsx';

/** The marks are our own, not trademarks of others. */
const marks: Readonly<Record<string, Mark>> = {
  // Waves from a mast.
  tts: {
    tint: 'var(--series-1)',
    glyph: <path d="M12 11v8M8.5 13.5a5 5 0 0 1 0-7M15.5 13.5a5 5 0 0 0 0-7M6 16a8.5 8.5 0 0 1 0-12M18 16a8.5 8.5 0 0 0 0-12" />,
  },
  // Layers.
  chirpstack: { tint: 'var(--series-3)', glyph: <path d="M12 5.5l7 3.5-7 3.5L5 9zM5 12.25l7 3.5 7-3.5M5 15.5l7 3.5 7-3.5" /> },
  // An arrow into a box.
  http: { tint: 'var(--series-2)', glyph: <path d="M5.5 14v4.5h13V14M12 5.5v9M8.75 11.5L12 14.75l3.25-3.25" /> },
  // A wave in a frame.
  simulated: { tint: 'var(--series-9)', glyph: <path d="M5 6h14v12H5zM7.5 12c1.5-5 3-5 4.5 0s3 5 4.5 0" /> },
};

interface NetworkMarkProps {
  type: string;
  typeName?: string | undefined;
  size?: number;
}

/** The mark of a kind of network; its name always stands beside it. */
export const NetworkMark = ({ type, typeName, size }: NetworkMarkProps) => <KindMark mark={markOf(marks, type, typeName)} size={size} />;
