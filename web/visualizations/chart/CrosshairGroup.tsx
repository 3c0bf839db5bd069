import { createContext, type ReactNode, useContext, useEffect, useId, useMemo, useState } from 'react';

/** A moment that a reader points at in one of several charts. */
interface Pointed {
  source: string;
  time: number;
}

interface Store {
  publish: (pointed: Pointed | null) => void;
  listen: (listener: (pointed: Pointed | null) => void) => () => void;
}

const Group = createContext<Store | null>(null);

/** Time charts inside it share the pointed moment: `<CrosshairGroup>` around the widgets of a dashboard. */
export function CrosshairGroup({ children }: { children: ReactNode }) {
  const store = useMemo<Store>(() => {
    const listeners = new Set<(pointed: Pointed | null) => void>();
    return {
      publish: (pointed) => {
        for (const listener of listeners) listener(pointed);
      },
      listen: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
  }, []);
  return <Group value={store}>{children}</Group>;
}

/** The moment that another chart of the group points at, and a function to report ours. */
export function useCrosshair(): { time: number | null; point: (time: number | null) => void } {
  const store = useContext(Group);
  const id = useId();
  const [time, setTime] = useState<number | null>(null);
  useEffect(() => store?.listen((pointed) => setTime(pointed && pointed.source !== id ? pointed.time : null)), [store, id]);
  const point = useMemo(
    () => (moment: number | null) => store?.publish(moment === null ? null : { source: id, time: moment }),
    [store, id],
  );
  return { time, point };
}
