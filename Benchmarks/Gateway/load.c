// An open-loop load generator: GET requests at a constant rate, over connections that stay open.
//
//     load PORT PATH CONNECTIONS RATE SECONDS
//
// Request number i is due at start + i / RATE, whether or not earlier ones were answered. Its
// latency counts from that moment. A closed loop sends less while the server stalls, and so omits
// the requests that would have waited (coordinated omission).
//
// It prints one line in microseconds:
// - the 50th, 99th and 99.9th percentile and the maximum of the latency
// - the 99th percentile of the delay before a request is sent. This delay is long if all
//   connections are busy, or the generator gets no processor.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { HEAD_LIMIT = 8192, ANSWER_LIMIT_SECONDS = 10 };
static const int64_t SECOND = 1000000000;

struct connection {
    int socket;
    int64_t due;        // of the request in flight
    int64_t rest;       // bytes of the body that are missing; -1 before the end of the head
    size_t headLength;  // bytes in `head`
    char head[HEAD_LIMIT + 1];
};

static void stop(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("load: ", stderr);
    vfprintf(stderr, format, arguments);
    fputs("\n", stderr);
    exit(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * SECOND + time.tv_nsec;
}

static int connected(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int one = 1, made = socket(AF_INET, SOCK_STREAM, 0);
    if (made < 0 || connect(made, (struct sockaddr *)&address, sizeof address) != 0)
        stop("no connection to port %d: %s", port, strerror(errno));
    setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    fcntl(made, F_SETFL, O_NONBLOCK);
    return made;
}

// Returns the length of the body that a complete head announces.
static int64_t announced(const char *head) {
    if (strncmp(head, "HTTP/1.1 200 ", 13) != 0) stop("the answer is %.40s", head);
    for (const char *line = strstr(head, "\r\n"); line; line = strstr(line + 2, "\r\n"))
        if (strncasecmp(line + 2, "content-length:", 15) == 0) return atoll(line + 17);
    stop("an answer has no Content-Length");
    return 0;
}

// Reads the bytes that have arrived. Returns whether the answer is complete.
static int isAnswered(struct connection *from) {
    static char bytes[1 << 16];
    for (;;) {
        ssize_t count = read(from->socket, bytes, sizeof bytes);
        if (count < 0 && errno == EAGAIN) return 0;
        if (count <= 0) stop("a connection broke: %s", count < 0 ? strerror(errno) : "closed");
        if (from->rest < 0) {
            size_t before = from->headLength, room = HEAD_LIMIT - before;
            size_t copied = (size_t)count < room ? (size_t)count : room;
            memcpy(from->head + before, bytes, copied);
            from->headLength += copied;
            from->head[from->headLength] = 0;
            char *end = strstr(from->head, "\r\n\r\n");
            if (!end && copied < (size_t)count) stop("a head has more than %d bytes", HEAD_LIMIT);
            if (!end) continue;
            end[2] = 0;  // the body may contain a line that looks like a field
            count -= (end + 4 - from->head) - (ssize_t)before;
            from->rest = announced(from->head);
        }
        from->rest -= count;
        if (from->rest < 0) stop("an answer is longer than announced");
        if (from->rest == 0) return 1;
    }
}

static int ascending(const void *a, const void *b) {
    int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;
    return (first > second) - (first < second);
}

// Returns a percentile of sorted times by the nearest rank, in microseconds.
static double percentile(const int64_t *sorted, int64_t count, double part) {
    int64_t rank = (int64_t)(part * count + 0.999999);
    return sorted[rank < 1 ? 0 : rank > count ? count - 1 : rank - 1] / 1e3;
}

int main(int count, char **arguments) {
    if (count != 6) stop("usage: load PORT PATH CONNECTIONS RATE SECONDS");
    int port = atoi(arguments[1]), connections = atoi(arguments[3]);
    double rate = atof(arguments[4]);
    int64_t total = (int64_t)(rate * atof(arguments[5]));
    if (connections < 1 || total < 1) stop("CONNECTIONS, RATE and SECONDS must be positive");
    char request[1024];
    int length = snprintf(
        request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", arguments[2], port);
    if (length >= (int)sizeof request) stop("PATH is too long");
    // By default the kernel wakes a waiting thread up to 50 µs late.
    prctl(PR_SET_TIMERSLACK, 1UL);

    struct connection *all = calloc(connections, sizeof *all);
    struct connection **idle = calloc(connections, sizeof *idle);
    struct epoll_event *events = calloc(connections, sizeof *events);
    int64_t *latencies = calloc(total, sizeof *latencies), *delays = calloc(total, sizeof *delays);
    int poll = epoll_create1(0), firstIdle = 0, idleCount = 0;
    if (!all || !idle || !events || !latencies || !delays || poll < 0) stop("no memory");
    for (int index = 0; index < connections; index++) {
        all[index].socket = connected(port);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &all[index]};
        epoll_ctl(poll, EPOLL_CTL_ADD, all[index].socket, &event);
        idle[idleCount++] = &all[index];
    }

    int64_t sent = 0, answered = 0, start = now() + SECOND / 100;
    while (answered < total) {
        int64_t due = start + (int64_t)(sent * (SECOND / rate)), time = now();
        while (sent < total && due <= time && idleCount > 0) {
            // In turn, so that each connection gets its share of the requests.
            struct connection *to = idle[firstIdle];
            firstIdle = (firstIdle + 1) % connections;
            idleCount--;
            to->due = due;
            to->rest = -1;
            to->headLength = 0;
            delays[sent++] = time - due;
            // A server that has closed the connection is an error, and no signal.
            if (send(to->socket, request, length, MSG_NOSIGNAL) != length)
                stop("a request could not be sent: %s", strerror(errno));
            due = start + (int64_t)(sent * (SECOND / rate));
            time = now();
        }
        // Without an idle connection, the next event is an answer.
        int isFree = sent < total && idleCount > 0;
        int64_t wait = isFree ? due - time : ANSWER_LIMIT_SECONDS * SECOND;
        if (wait < 0) wait = 0;
        struct timespec timeout = {.tv_sec = wait / SECOND, .tv_nsec = wait % SECOND};
        int ready = epoll_pwait2(poll, events, connections, &timeout, NULL);
        if (ready < 0 && errno != EINTR) stop("epoll_pwait2: %s", strerror(errno));
        if (ready == 0 && !isFree) stop("no answer within %d s", ANSWER_LIMIT_SECONDS);
        for (int index = 0; index < ready; index++) {
            struct connection *from = events[index].data.ptr;
            if (!isAnswered(from)) continue;
            latencies[answered++] = now() - from->due;
            idle[(firstIdle + idleCount++) % connections] = from;
        }
    }
    qsort(latencies, total, sizeof *latencies, ascending);
    qsort(delays, total, sizeof *delays, ascending);
    printf(
        "%.1f %.1f %.1f %.1f %.1f\n", percentile(latencies, total, 0.5), percentile(latencies, total, 0.99),
        percentile(latencies, total, 0.999), percentile(latencies, total, 1), percentile(delays, total, 0.99));
    return 0;
}
