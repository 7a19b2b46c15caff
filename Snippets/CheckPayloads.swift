// Article C, "Tools from an existing codebase": check payloads with the types that production
// decodes.
import WharfCheck

struct BlogPostsRequest: Decodable {
    let posts: [BlogPost]
}

struct BlogPost: Decodable {
    let title: String
    let tags: [String]
}

// snippet.check
let check = PayloadCheck(
    BlogPostsRequest.self,
    rules: [
        Rule("at most 100 posts") { $0.posts.count <= 100 },
        Rule("every post has a title") { request, report in
            for (index, post) in request.posts.enumerated() where post.title.isEmpty {
                report("an empty title", at: ["posts", .index(index), "title"])
            }
        },
    ])

for payload in [
    #"{"posts": [{"title": "Some post", "tags": []}]}"#,
    #"{"posts": [{}, {"title": 7, "tags": [null]}]}"#,
    #"{"posts": [{"title": "", "tags": []}]}"#,
] {
    print(payload)
    for finding in check.findings(in: Array(payload.utf8)) {
        print("  \(finding.location): \(finding.path): \(finding.message)")
    }
}
// snippet.end

// Output:
// {"posts": [{"title": "Some post", "tags": []}]}
// {"posts": [{}, {"title": 7, "tags": [null]}]}
//   1:12: posts[0].title: expected a value for the key "title", found an object without it
//   1:12: posts[0].tags: expected a value for the key "tags", found an object without it
//   1:26: posts[1].title: expected a string, found the number 7
//   1:38: posts[1].tags[0]: expected a string, found null
// {"posts": [{"title": "", "tags": []}]}
//   1:22: posts[0].title: every post has a title: an empty title
