import DashboardOutlined from '@ant-design/icons/DashboardOutlined';
import LineChartOutlined from '@ant-design/icons/LineChartOutlined';
import type { DeviceDetail } from '@telltale/domain/channels/contract.ts';
import { Button } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useCan } from '../../../api/session.ts';
import { notify } from '../../../ui/notify.tsx';
import { chartOf, makeChart, putOnNewDashboard } from './makeChart.ts';

interface ChartButtonsProps {
  device: Pick<DeviceDetail, 'channel_id' | 'device_id' | 'name'>;
  attributes: readonly string[];
  /** Another device of the channel, in the same chart. */
  compared?: string;
  words?: { chart: string; dashboard: string };
  /** Makes "Chart it" the primary action. */
  isFirst?: boolean;
}

const first = { chart: 'Chart it', dashboard: 'Put it on a dashboard' };

/** Leads from a reporting device to a saved chart, or to a chart on a dashboard, with one click. */
export function ChartButtons({ device, attributes, compared, words = first, isFirst = false }: ChartButtonsProps) {
  const navigate = useNavigate();
  const can = useCan();
  const [busy, setBusy] = useState<'chart' | 'dashboard' | null>(null);
  const work = async (what: 'chart' | 'dashboard', act: () => Promise<string>) => {
    setBusy(what);
    try {
      navigate(await act());
    } catch (error) {
      notify.error('The chart could not be made.', { description: error instanceof Error ? error.message : '' });
      setBusy(null);
    }
  };
  const name = attributes.length === 1 ? `${device.name}: ${attributes[0]}` : device.name;
  const make = () =>
    makeChart(name, {
      channel_id: device.channel_id,
      device_ids: [device.device_id, ...(compared ? [compared] : [])],
      attributes: [...attributes],
    });
  if (!can('create_query')) return null;
  return (
    <>
      <Button
        type={isFirst ? 'primary' : 'default'}
        size={isFirst ? 'middle' : 'small'}
        icon={<LineChartOutlined />}
        loading={busy === 'chart'}
        disabled={busy === 'dashboard'}
        onClick={() =>
          void work('chart', async () => {
            const query = await make();
            return `/queries/${query.id}#${chartOf(query)?.id ?? ''}`;
          })
        }
      >
        {words.chart}
      </Button>
      {can('create_dashboard') && (
        <Button
          size={isFirst ? 'middle' : 'small'}
          icon={<DashboardOutlined />}
          loading={busy === 'dashboard'}
          disabled={busy === 'chart'}
          onClick={() => void work('dashboard', async () => putOnNewDashboard(device.name, await make()))}
        >
          {words.dashboard}
        </Button>
      )}
    </>
  );
}
