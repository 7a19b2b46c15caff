/// The text below the options in `wharf check --help`.
enum CheckHelp {
    static let check = """
        Standard output is the report: the place of each error by line, column and path, with the expected and the \
        found value. Your files are compiled with a small program that decodes with them. The program is kept, so \
        only changed files are compiled again.

        EXAMPLES:
          wharf check --sources Sources/Models --type Feed feed.json
          curl -s https://staging.example.com/feed |
            wharf check --sources Sources/Models --type Feed --print
          wharf check --sources Sources/Models --type '[Post]' https://example.com/posts
          wharf check --sources Sources/Models --type Feed --rules FeedRules.swift \\
            --format junit payloads/*.json > report.xml

        TO TRY IT:
          mkdir Models
          echo 'struct Post: Decodable { let title: String }' > Models/Post.swift
          echo '[{"title": "Hello"}, {}]' | wharf check --sources Models --type '[Post]'

        RULES:
          A Swift file that declares further rules, with the type that --type names:

          import WharfCheck
          let rules: [Rule<Feed>] = [
              Rule("at most 100 posts") { $0.posts.count <= 100 },
              Rule("every post has a title") { feed, report in
                  for (index, post) in feed.posts.enumerated() where post.title.isEmpty {
                      report("an empty title", at: ["posts", .index(index), "title"])
                  }
              },
          ]

        DECODER:
          A Swift file that declares the decoder of your app, if it is not a plain JSONDecoder:

          import Foundation
          let decoder: JSONDecoder = {
              let decoder = JSONDecoder()
              decoder.dateDecodingStrategy = .iso8601
              return decoder
          }()

        EXIT CODES:
          0    all payloads decode and obey the rules
          1    errors in payloads
          2    the sources don't compile, or hold no such type; standard error says why
          3    a payload or a source file could not be read
          64   the command line is wrong
          69   there is no Swift toolchain: no swiftc on PATH
          70   wharf had an internal error
          74   the report, or a built program, could not be written
          130  interrupted by Ctrl-C (143 by SIGTERM, 129 by SIGHUP)

        ENVIRONMENT:
          WHARF_CHECK_BUILDS  the folder of built programs; by default the folder of wharf get's cache
          WHARF_SOURCES       the folder of Wharf's sources, if they are not beside wharf
        """
}
