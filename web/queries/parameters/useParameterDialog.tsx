import type { QueryParameter } from '@telltale/domain/parameters/contract.ts';
import { placeholderText } from '@telltale/domain/parameters/placeholders.ts';
import { normalizeValue } from '@telltale/domain/parameters/values.ts';
import { lazy, Suspense, useState } from 'react';
import type { EditedQuery } from '../useEditedQuery.ts';
import type { ParameterState } from './useParameterValues.ts';

const ParameterDialog = lazy(() => import('./ParameterDialog.tsx'));

/** Adds a parameter at the cursor, or changes an existing one. */
export function useParameterDialog(edited: EditedQuery, state: ParameterState, insert: (text: string) => void) {
  const [open, setOpen] = useState<{ parameter: QueryParameter | null } | null>(null);
  const keep = (parameter: QueryParameter) => {
    const values = state.put(parameter.name, normalizeValue(parameter, parameter.value));
    if (open?.parameter) {
      const next = edited.parameters.map((known) => (known.name === parameter.name ? parameter : known));
      return edited.changeParameters(next, values);
    }
    edited.changeParameters([...edited.parameters, parameter], values, true);
    // Deferred until the dialog has restored the focus.
    setTimeout(() => insert(placeholderText(parameter)));
  };
  return {
    add: () => setOpen({ parameter: null }),
    edit: (parameter: QueryParameter) => setOpen({ parameter: { ...parameter, value: state.applied[parameter.name] } }),
    dialog: open && (
      <Suspense>
        <ParameterDialog
          parameter={open.parameter}
          queryId={edited.id}
          takenNames={edited.parameters.map(({ name }) => name)}
          onSave={keep}
          onClose={() => setOpen(null)}
        />
      </Suspense>
    ),
  };
}
