import socket

from tsnmf_ui.server.sockets import disable_nagle


def delays(each: socket.socket) -> bool:
    return not each.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_connections_inherit_that_nothing_is_held_back():
    with socket.socket(socket.AF_INET) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        assert delays(listener)
        assert disable_nagle() >= 1
        with socket.create_connection(listener.getsockname()):
            accepted, _ = listener.accept()
            with accepted:
                assert not delays(accepted)
