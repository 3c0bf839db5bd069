"""paho, version 1 or 2: publishes with QoS 1 by MQTT 3.1.1 and 5, and prints why a wrong key is refused."""
import sys
import threading

import paho.mqtt.client as mqtt

host, port, username, password = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
is_second = hasattr(mqtt, "CallbackAPIVersion")


def make(protocol, key):
    more = {"callback_api_version": mqtt.CallbackAPIVersion.VERSION2} if is_second else {}
    client = mqtt.Client(client_id="paho", protocol=protocol, **more)
    client.username_pw_set(username, key)
    return client


for protocol in (mqtt.MQTTv311, mqtt.MQTTv5):
    done = threading.Event()
    client = make(protocol, password)
    client.on_connect = lambda c, *rest: c.publish("v1/me/up", '{"t": 21.5}', qos=1)
    client.on_publish = lambda *rest, done=done: done.set()
    client.connect(host, port)
    client.loop_start()
    assert done.wait(15), f"no PUBACK, protocol {protocol}"
    client.disconnect()
    client.loop_stop()

refused, reason = threading.Event(), []
stranger = make(mqtt.MQTTv5, "x" * 40)


def told(_client, _data, _flags, code, properties=None, *rest):
    reason.append(f"{code}: {getattr(properties, 'ReasonString', '')}")
    refused.set()


stranger.on_connect = told
stranger.connect(host, port)
stranger.loop_start()
assert refused.wait(15), "no CONNACK for a wrong key"
stranger.loop_stop()
assert "key" in reason[0], reason
print(f"PUBACK by 3.1.1 and 5; a wrong key: {reason[0][:100]}")
