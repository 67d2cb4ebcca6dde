#include "CListenerFilter.h"

#include <errno.h>

#ifdef __linux__

#include <linux/filter.h>
#include <sys/socket.h>

int listener_discard_new_connections(int listener) {
  // The filter sees the segment from its TCP header on (tcp_v4_rcv and tcp_v6_rcv): the flags are
  // its 14th byte. A segment with SYN and without ACK is a request for a connection.
  enum { flags_offset = 13, syn = 0x02, ack = 0x10 };
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_B | BPF_ABS, flags_offset),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, syn | ack),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, syn, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, 0),
      BPF_STMT(BPF_RET | BPF_K, 0xffffffff),
  };
  struct sock_fprog program = {sizeof code / sizeof code[0], code};
  int result = setsockopt(listener, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
  return result == 0 ? 0 : errno;
}

#else

int listener_discard_new_connections(int listener) {
  (void)listener;
  return ENOTSUP;
}

#endif
