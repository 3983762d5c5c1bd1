"""A producer or a consumer of the spool, run as a process of its own by test_spool.py.

spool_process.py FOLDER put NAME COUNT      put COUNT messages called NAME-0, NAME-1, ...
spool_process.py FOLDER take                print `ready`, then each message's name; end when the input has ended and
                                            none is left
"""

import sys
from select import select

from kombu import Connection, Queue
from kombu.message import Message

from postspiel.config.spool import register

QUEUE = Queue("orders", routing_key="orders")


def put(connection: Connection, name: str, count: int) -> None:
    with connection.Producer() as producer:
        for number in range(count):
            producer.publish({"name": f"{name}-{number}"}, routing_key="orders", declare=[QUEUE])


def take(connection: Connection) -> None:
    def print_name(body: dict[str, str], message: Message) -> None:
        print(body["name"], flush=True)
        message.ack()

    with connection.Consumer([QUEUE], callbacks=[print_name]):
        print("ready", flush=True)
        while True:
            over = bool(select([sys.stdin], [], [], 0)[0])
            try:
                connection.drain_events(timeout=0.2)
            except TimeoutError:
                if over:
                    return


if __name__ == "__main__":
    register()
    folder, act, *rest = sys.argv[1:]
    with Connection("spool://", transport_options={"folder": folder, "polling_interval": 0.02}) as opened:
        if act == "put":
            put(opened, rest[0], int(rest[1]))
        else:
            take(opened)
