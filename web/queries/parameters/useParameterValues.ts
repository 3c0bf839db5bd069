import type { QueryParameter } from '@telltale/domain/parameters/contract.ts';
import type { ParameterValue } from '@telltale/domain/parameters/values.ts';
import { useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { addressWith, effectiveValues, type Values, withPending } from './parameterValues.ts';

export type ParameterState = ReturnType<typeof useParameterValues>;

/** Screens 8.3: typed values wait until they are applied. A new query does not change the address; widgets have keys of their own in it. */
export function useParameterValues(parameters: readonly QueryParameter[], isInAddress: boolean, widgetId?: number) {
  const { search, hash } = useLocation();
  const navigate = useNavigate();
  const first = useRef(new URLSearchParams(search));
  const [stored, setStored] = useState<Values>({});
  const [waiting, setWaiting] = useState<Values>({});
  const applied = useMemo(() => effectiveValues(parameters, stored, first.current, widgetId), [parameters, stored, widgetId]);
  const pending: Values = Object.fromEntries(Object.entries(waiting).filter(([name]) => Object.hasOwn(applied, name)));

  return {
    applied,
    /** The values for a text that is newer than the bar, which follows the editor after a moment. */
    appliedTo: (others: readonly QueryParameter[]): Values => effectiveValues(others, stored, first.current),
    shown: { ...applied, ...pending } as Values,
    pendingNames: Object.keys(pending),
    set: (name: string, value: ParameterValue) => setWaiting((before) => withPending(before, applied, name, value)),
    /** Sets a value at once: the user set it in the definition of the parameter. */
    put: (name: string, value: ParameterValue): Values => {
      setStored((before) => ({ ...before, [name]: value }));
      setWaiting(({ [name]: _, ...others }) => others);
      return { ...applied, [name]: value };
    },
    /** Applied at once and kept in the address: somebody chose it in a picture. */
    choose: (name: string, value: ParameterValue): void => {
      setStored((before) => ({ ...before, [name]: value }));
      setWaiting(({ [name]: _, ...others }) => others);
      const values = { ...applied, [name]: value };
      if (isInAddress)
        navigate({ search: addressWith(search, parameters, values, widgetId), hash }, { replace: true, preventScrollReset: true });
    },
    /** Returns the values that count from now on. */
    apply: (): Values => {
      const values = { ...applied, ...pending };
      setStored((before) => ({ ...before, ...pending }));
      setWaiting({});
      if (isInAddress)
        navigate({ search: addressWith(search, parameters, values, widgetId), hash }, { replace: true, preventScrollReset: true });
      return values;
    },
  };
}
