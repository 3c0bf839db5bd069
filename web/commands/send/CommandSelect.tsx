import { Select } from 'antd';
import { useId } from 'react';
import { Link } from 'react-router';
import { Labelled } from '../../ui/form/Labelled.tsx';
import { useCommandsOf } from '../useCommands.ts';

interface CommandSelectProps {
  channelId: string;
  value: number | null;
  onChange: (commandId: number) => void;
}

export function CommandSelect({ channelId, value, onChange }: CommandSelectProps) {
  const id = useId();
  const { commands, error } = useCommandsOf(channelId);
  const hint = commands?.length === 0 && (
    <>
      This channel has no commands yet. <Link to="/commands/new">Add a command</Link>
    </>
  );
  return (
    <Labelled id={id} label="Command" info={error?.message ?? (hint || undefined)}>
      <Select
        id={id}
        placeholder="Choose a command"
        value={value}
        loading={commands === null && !error}
        disabled={commands?.length === 0}
        showSearch={{ optionFilterProp: 'label' }}
        options={commands?.map((command) => ({ value: command.id, label: command.name })) ?? []}
        onChange={onChange}
      />
    </Labelled>
  );
}
