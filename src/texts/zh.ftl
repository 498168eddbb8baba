# 程序用简体中文说的话。格式说明：https://projectfluent.org/fluent/guide/
#
# How to add a text: write it in en.ftl first, then here under the same id, in the same place and
# with the same arguments (`{ $name }`); a test compares the two files. A check needs a text of its
# name and `.explain` below it. Words that Chinese does not inflect need no plural forms, so `[one]`
# of the English text is left out here. No space between Chinese and full-width punctuation; a space
# between Chinese and Latin letters or digits.
#
# 用词：claim 结论 · evidence 证据 · lead 线索 · pitfall 陷阱 · trigger 触发项 · retest 复测 ·
# introduced 首次出现 · last tested 最近测试 · receipt 查证命令 · caveat 保留事项 · rule pack 规则包

list-separator = ；
enumeration = 、
# Between two sentences.
sentence-separator = {""}

# The two largest units of a span of time, which are joined with a space.
days = { $count } 天
hours = { $count } 小时
minutes = { $count } 分钟
seconds = { $count } 秒

## Checks

predates-pitfall =
    { $clock ->
        [against] 最近一次测试早于{ $needed ->
            [yes] 得知必须有 { $trigger }
           *[no] 陷阱 { $trigger } 为人所知
        }（但按作者时钟反而晚 { $lag }）
       *[with] 最近一次测试比{ $needed ->
            [yes] 得知必须有 { $trigger }
           *[no] 陷阱 { $trigger } 为人所知
        }早 { $lag }
    }{ $order ->
        [time] （位于并行分支，按提交时间排序）
       *[ancestry] {""}
    }，此后没有再测；{ $exposure ->
        [set] 当时 { $path } 中设置了它
        [claim] 该结论本身就建立在它之上
       *[unrecorded] 当时是否设置了它，没有记录
    }{ $why-count ->
        [0] {""}
       *[other] （{ $why }）
    }。
    .explain =
        该结论最近一次测试之后，才发现一个足以解释或歪曲其结果的陷阱，而此后没有再测。结论
        也许属实，但从这段历史中无从得知。请关闭触发项（若陷阱在于缺少它，则设置它）后复测，并写明结果：写进文档，或在提交
        说明中加一行 `Retest:` 尾注。
    .fires = 周一写下“三张卡崩溃”；周二 `PITFALLS.md` 禁用了启动即崩的 `ALLOC=growable`；没有人回头再测三张卡。
    .silent = 结论最近一次测试之前文档中已有该禁令，或当时的代码树关闭了触发项，或之后的提交复测过该结论。
    .fix = 关闭触发项（若为必需，则设置它）后复测，并写在结论旁边，或加一行 `Retest:` 尾注。

predates-known-pitfall =
    最近一次测试比陷阱 { $trigger } 公开为人所知（{ $day }，{ $rule }，{ $source }）早 { $lag }，此后没有再测；{ $exposure ->
        [set] 当时 { $path } 中设置了它
        [claim] 该结论本身就建立在它之上
       *[unrecorded] 当时是否设置了它，没有记录
    }{ $why-count ->
        [0] {""}
       *[other] （{ $why }）
    }。

# What links a pitfall to a claim.
names-habit = 结论正是该坑所指的测法
told-again = 它复述了 { $place } 的 { $number }, 而后者受此坑质疑
same-column = 它与受此坑质疑的 { $place } 在同一列
computed-from = { $number } 由受此坑质疑的 { $place } 算出
same-phase = 同一阶段：{ $phase }
same-name = 都提到 { $name }
same-condition = 同一条件：{ $term }
rare-words = 有相同的少见词
same-section = 同一章节
same-document = 同一文档
acts-on-every-run = 该触发项对每次运行都起作用
nothing-recorded = 断言周围没有写明当时的运行环境
same-symptom = 同类故障
a-variable = 触发项是变量
other-conditions = 但条件不同
other-phase = 但阶段不同
score = 得分 { $score }，达到 { $likely } 视为很可能

contradicted =
    { $how ->
        [corrected] { $path } 中较晚的文字称其中一个数有误：“{ $text }”。
        [superseded] 它说的是现状，而 { $path } 中较晚的说法把同一个数称为过去：“{ $text }”。
        [value] { $path } 中较晚的说法给出了同一个量的另一个值：“{ $text }”。
       *[opposite] { $path } 中较晚的说法与之相反：“{ $text }”。
    }
    .explain =
        仓库中较晚的一处对同一对象给出了相反的说法、更正了它的数，或给出了同一个量的另一个值，
        而此后没有复测过这一条。请复测并撤回错的那一条，或写明两者条件有何不同。
    .fires = 一份文档写“两张卡启动即崩”，后来的文档写“两张卡能启动并服务”，两者都还在。
    .silent = 两者的条件不同且都写明，或较早的一条已标为撤回。
    .fix = 请复测并撤回错误的一条，或写明两者不同的条件。

unmerged-fix =
    依赖的 { $name } { $how ->
        [apart] 不在被审计的历史中
        [absent] 不在本仓库中
        [open] 仍未合并
        [closed] 已关闭，未合并
        [base] 合并进了 { $base }，而不是被审计的分支
        [merged] 合并到了别处
       *[said] 按原文所说尚未合并
    }。
    .explain =
        该结论写明由某个提交、分支或合并请求修复，或依赖于它，而它不在被审计的历史中。检出
        这个提交的人得不到该修复。请合并它，或以补丁形式加入仓库，或写明结论在哪个提交上成立。
        指向其他仓库的引用视为未知，从不计入。`--forge-events` 让这项检查看到合并请求的状态。
    .fires = “由提交 1f3a9c2 修复”，而该提交所在的分支从未合并。
    .silent = 修复以补丁文件存在于代码树中，或句中自己写明未合并，或在别的仓库。
    .fix = 请合并修复，或加入补丁文件，或写明结论在哪个提交成立。

stale-citation =
    { $how ->
        [removed] 引用的 { $what } 后来被删除
        [moved] 引用的 { $what } 现在位于 { $now }
        [section] 引用的章节“{ $what }”在 { $now } 中已不存在
        [reversed] 引用的章节“{ $what }”现在的说法与当时相反
       *[retitled] 引用的合并请求原名“{ $what }”，现名“{ $now }”
    }。
    .explain =
        该结论引用了本仓库的某个文件或章节，而它在最近一次测试之后被删除、改名或改写成相反的
        说法；或引用了标题已变的合并请求。结论的依据可能不再成立。请查明它的去向，改引现存的
        内容。
    .fires = “见 `docs/limits.md`”，而该文件上周已删除。
    .silent = 所引文件仍在原处，或文件移动之后结论又测过。
    .fix = 请先看清它后来如何，再引用现存的内容。

config-drift =
    写明的 { $name } { $named } 是当时仓库固定的值；{ $path } 现在固定为 { $now }。
    .explain =
        该结论写明了某个版本或设置，最近一次测试时仓库正是这样固定的。现在固定的值已变，而
        此后没有复测。请用现在的值复测，或写明结果针对旧值。
    .fires = “用引擎 0.27.1 会失败”，而锁定文件此后一直是 0.29.0。
    .silent = 锁定值没有变，或之后的提交复测过。
    .fix = 请用现在锁定的版本测试，或写明结果针对旧值。

truncated-history =
    历史在最早含有该结论的提交处被截断：它就是在那里或更早提出的。
    .explain =
        能读到的历史在该结论已经存在的地方被截断（浅克隆，或有对象缺失、无法读取）。它最初
        何时提出、当时已知什么，都看不到。请取回完整历史：`git fetch --unshallow`，CI 中用
        `fetch-depth: 0`。
    .fires = 深度为 20 的克隆中，最早的提交就已含有该结论。
    .silent = 首次提出该结论的提交以及它之前的提交都在。
    .fix = 请取回完整历史。

second-hand =
    转述了他人的结果：“{ $words }”。
    .explain =
        该结论转述他人的结果，也没有说明在此处复现过。请复现并在旁边写明，否则只把它当作
        一条指引。
    .fires = “据厂商称可达 120 tok/s。”
    .silent = “厂商称 120 tok/s；本机复现为 118。”
    .fix = 请复现，并在同一句或同一行写明。

estimate = { $how ->
        [beyond] 结论超出了测试范围：“{ $words }”，而“{ $other }”。
        [unmeasured] 表中写明“{ $words }”，但这一行在别处没有任何结果，其他行则有。
        [computed] 它的数是算出来的，并未实际运行：“{ $words }”。
       *[said] 是推算或预期，并未实际运行：“{ $words }”。
    }
    .explain =
        该结论是推算、预期或假设出来的，或自己写明没有运行过。请实际运行并改写这些话，否则
        只把它当作一种预期。
    .fires = “两张卡应该能装下这个模型。”
    .silent = “实测 215 GB/s，理论值 256 GB/s。”
    .fix = 请实际运行，再用结果替换这些话。

invariant =
    归咎于某种资源（“{ $words }”），但该资源为 { $less } 和 { $more } 时都在同一处失败：{ $place }。
    .explain =
        该结论把失败归咎于某种资源，而恰好只在这种资源上不同的两个配置在同一处失败。请寻找
        两者共有的原因，或给出增加该资源后好转的运行结果。
    .fires = “三张卡失败：显存不够”，而预算为 57.2 GiB 和 54.0 GiB 的两行都崩在 `repack.cu:118`。
    .silent = 两行崩在不同位置，或显存更多的一行能跑，或文中自己得出与显存无关的结论。
    .fix = 请寻找两个配置共有的因素，或给出增加该资源后好转的运行。

blind-probe = { $how ->
        [level] 测试只到 { $tested }{ $unit }（“{ $words }”），而故障在 { $needed }{ $unit } 以上才出现。
        [narrow] 由少推多：“{ $words }”。
        [loads] 由较低的层次推出较高的层次：“{ $words }”。
        [reserved] 把预留的当作必需的：“{ $words }”。
        [too-early] 在刚开始时就测量：“{ $words }”。
        [starts] 说能启动（“{ $words }”），而同一对象据称随后失败：“{ $other }”。
        [open-fault] 说一切正常（“{ $words }”），旁边却有尚未查清的故障：“{ $other }”。
       *[probe] 依据的是看不到该故障的探测：“{ $words }”。
    }
    .explain =
        该结论依据的探测不可能看到故障：管理工具的绿灯、对日志的空搜索、从未写入的内存、低于
        故障出现水平的负载。请换一种在故障存在时必然失败的探测再看。
    .fires = “故障在 99.785% 以上才出现”，而“压测到 84.1% 通过”。或：“管理工具显示所有卡正常，所以能用。”
    .silent = 压测一直进行到分配失败，或不知道故障从多高开始，或绿灯旁边写有更深的探测：“跑了 405 轮没有崩溃”。
    .fix = 请用故障存在时必然失败的办法再看，并写在结论旁边。

wrong-phase =
    归咎于 { $parameter }，它在 { $acts } 起作用，而失败发生在 { $phase }。
    .explain =
        该结论把失败归咎于一个参数，而这个参数在失败的阶段尚未起作用或已不起作用。请寻找在
        该阶段起作用的因素。
    .fires = “加载权重时崩溃是因为缓存占比过高”，而该占比决定的缓存在加载之后才建立。
    .silent = “解码时崩溃是因为缓存占比过高”；或两个阶段有一个未知。
    .fix = 请寻找在失败阶段起作用的因素；规则包对该参数的说法有误时，请覆盖那条规则。

confounded = { $how ->
        [elimination] 是用排除法得出的结论：“{ $words }”。
        [removed] 拿掉之后好了，但没有放回去再看：“{ $words }”。
        [uncontrolled] 表格旁边写明变化的不止一处：“{ $words }”。
        [opt-in] 需要一个默认关闭的设置：“{ $words }”。
       *[together] 同时改了几处（“{ $words }”），却只归功于其中一处：“{ $other }”。
    }
    .explain =
        只归功或归咎于一处，而其他因素没有与它分开：几处同时改动，或嫌疑只是剩下的那个，或
        拿掉之后没有放回去。请一次只改一处，并改回来再看。
    .fires = “得益于新内核，达到 98.1 tok/s。同时换了驱动。”
    .silent = “……并且逐个测过”；或没有归功于任何一处。
    .fix = 请一次只改一处，测量，改回来，再测量。

arithmetic = { $how ->
        [units] 只有把 GB 与 GiB 当作一回事，算式才成立：“{ $equation }”得 { $computed }，不是 { $stated }。
        [margin] 拿 { $computed } 与 { $stated } 比较，余量小于两者之差：“{ $equation }”。
       *[fails] 数字对不上：“{ $equation }”得 { $computed }，不是 { $stated }。
    }
    .explain =
        结论中或旁边的算式在其数字所允许的误差内不成立。和、积、占比、变化（“a → b (+19%)”）、
        换算、表格合计和切分都会重新计算；没有完全读懂的算式不作评论。请改正数字，或说明它
        是怎么得来的。
    .fires = “141 MiB / 65536 MiB = 0.251%”：应为 0.215%。
    .silent = “63.5 × 0.85 = 54.0”：53.975 四舍五入后正是它。或算式中有字母或未知单位。
    .fix = 请改正数字，或写明还计入了什么。

# Paragraphs of `--explain`.
guide-fires = 报告的情形：{ $text }
guide-silent = 不报告的情形：{ $text }
guide-fix = 处理办法：{ $text }不想检查此项时，用 `--no-check { $name }` 关闭。

## Words of all reports

kind-failure = 失败
kind-success = 成功
kind-measurement = 测量

effect-crash = 崩溃
effect-perf = 性能
effect-wrong = 结果失真
effect-unknown = 影响未知

confidence-high = 高
confidence-medium = 中
confidence-low = 低

# What told of a retest.
how-message = 提交说明
how-number = 新数值
how-outcome = 新结果
how-trailer = 尾注
how-text = 正文

claims = { $count } 条结论
leads = { $count } 条线索
failures = { $count } 条失败
successes = { $count } 条成功
measurements = { $count } 条测量
commits = { $count } 个提交
documents = { $count } 份文档
caveats = { $count } 项保留

# What could not be seen; some languages say by its code what it is about.
caveat = { $code ->
    [shallow] 历史被截断（浅克隆），更早的内容看不到：{ $message }
    [partial-clone] 这是部分克隆，未取回的对象无法读取：{ $message }
    [grafts] 嫁接改写了历史的先后关系：{ $message }
    [replace-refs] 替换引用改写了历史：{ $message }
    [clock-skew] 提交的时间早于其父提交，前后时间不可尽信：{ $message }
    [missing-object] 有对象缺失：{ $message }
    [corrupt-object] 有对象损坏：{ $message }
    [unreadable-object] 有对象无权读取：{ $message }
    [malformed-commit] 有提交格式不合规：{ $message }
    [malformed-tree] 有目录树格式不合规：{ $message }
    [unreadable-document] 有文档未能完整读取：{ $message }
    [too-large] 有对象超出大小上限：{ $message }
    [too-deep] 目录层数超出上限：{ $message }
    [too-many-documents] 文档数量超出上限：{ $message }
    [too-many-citations] 引用数量超出上限：{ $message }
    [too-many-parents] 父提交数量超出上限：{ $message }
    [long-message] 提交说明超出长度上限：{ $message }
    [several-merge-bases] 合并基点不止一个：{ $message }
    [no-change] 与基准相比没有改动：{ $message }
    [narrowed] 被审计的提交自行决定了部分审计内容：{ $message }
    [unused-suppression] 有搁置条目已无用处：{ $message }
    [expired-suppression] 有搁置条目已过期：{ $message }
    [outdated-suppression] 有搁置条目所指的结论已变：{ $message }
   *[other] { $message }
}

# Commits and times.
at-or-before = 不晚于 { $commit }
unknown-commit = 某个情况不明的提交
no-calendar = 第 { $seconds } 秒（超出历法范围）
committed = { $time }（提交于 { $committed }）

# A retest: what told of it, and its words.
by-its = 依据{ $how }：{ $words }
corrected-since = 此后只更正了单位或来源，未重新测试

# A pitfall against a claim.
lag-until = { $lag }后发现陷阱，{ $order ->
    [time] 位于并行分支，按提交时间排序
   *[ancestry] 按祖先关系排序
}
lag-against = 按作者时钟并无间隔，反而早 { $lag }，{ $order ->
    [time] 位于并行分支，按提交时间排序
   *[ancestry] 按祖先关系排序
}
exposure-in_use = 使用中：{ $commit } 的文件树里设置了它
exposure-unrecorded = 无记录：{ $commit } 的文件树里没有它的踪迹

# The sum in one line to quote, and what it rests on.
several-sum = { $count } 个仓库：{ $leads } 个有线索，{ $clean } 个没有{ $failed ->
    [0] {""}
   *[other] ，{ $failed } 个无法审计（{ $names }）
}
nothing-judged = 没有找到结论，因此没有作出任何判断。
all-stand = { $count } 条结论全部成立为证据：没有检查提出异议。
all-stand-as-far-as-read = 就能读到的历史而言，{ $count } 条结论全部成立为证据。
sum = { $claims }中有 { $leads } 条只是线索，不是证据：{ $checks }{ $suppressed ->
    [0] {""}
   *[other] ；另有 { $suppressed } 条已知并被搁置
}。
only-suppressed = 没有待处理的线索：{ $claims }中有 { $suppressed } 条是已知并被搁置的线索。
by-check = { $check } { $count } 条
basis = claim-audit { $version } 在 { $rev } 处读取了 { $commits }、{ $documents }{ $packs-count ->
    [0] {""}
   *[other] ，规则包为 { $packs }
}{ $caveats-count ->
    [0] {""}
   *[other] ，另有 { $caveats }（见上）
}。
receipts-run = 查证命令请在仓库顶层目录的 shell 中运行。
below-threshold = 另有 { $count } 条理由低于所要求的可信度：用 --min-confidence low 可查看其余可疑之处。

## The report for terminals

# Before details; a language's labels are aligned by the widest.
label-pitfall = 陷阱
label-triggers = 触发项
label-needed = 必需项
label-introduced = 首次出现
label-last-tested = 最近测试
label-lag = 间隔
label-exposure = 当时情况
label-receipts = 查证

heading-evidence = 证据
heading-suppressed = 已搁置
suppressed-by-comment = 由 { $place } 处的注释搁置
suppressed-by-config = 由配置搁置
suppressed-by-baseline = 由基线搁置
heading-pitfalls = 陷阱
all-lists-them = （用 --all 逐条列出）
pitfalls-known = 已知 { $known } 个，其中 { $challenging } 个动摇了结论
and-more = 还有 { $count } 个

## The page

page-title = 结论审计
page-skip = 跳到结论列表
page-leads = 线索
page-evidence = 证据
page-suppressed = 已搁置
page-pitfalls = 陷阱
page-claims = 结论
page-caveats = 看不到或不可信之处
page-no-claims = 没有找到结论。
page-checks = 各项检查的含义
page-meaning = “证据”只表示没有检查提出异议，不表示结论属实。“线索”值得核对或重跑之后再作依据；它也可能属实。

# What a change did.
page-new-leads = 新增的线索
page-turned = 因此次改动变为线索
page-cleared = 经测试恢复为证据
page-lapsed = 不再是线索，但并未测试
page-no-change = 此次改动没有产生线索，也没有消除线索。

page-standing-lead = 线索
page-standing-evidence = 证据
page-standing-suppressed = 已搁置

# The picture.
page-picture = 何时知道什么
page-timeline = 时间线
page-caption =
    { $from } 至 { $to }：{ $claims }，其中 { $retested } 条后来复测过；已知陷阱 { $pitfalls } 个；{ $joined ->
        [0] 没有结论早于能解释它的陷阱。
       *[other] 有 { $joined } 条结论早于能解释它的陷阱。
    }
page-lane = { $claims }，{ $leads ->
    [0] 无线索
   *[other] { $leads } 条线索
}
page-further-documents = 其余 { $count } 份文档
page-pitfall-label = { $trigger }{ $count ->
    [0] {""}
   *[other] {" "}· { $count } 条结论
}
# A mark: what it stands for, how many, where the first of them stands, when it was made.
page-mark = { $count ->
    [1] { $standing }
   *[other] { $count } 条{ $standing }
}，{ $place }，{ $time }
page-legend-lead = 线索
page-legend-evidence = 证据
page-legend-suppressed = 已搁置的线索
page-legend-retest = 复测
page-legend-pitfall = 发现陷阱
page-legend-join = 早于陷阱，此后没有再测

# The list.
page-search = 结论、理由或查证命令中的词
page-by-verdict = 判定
page-by-kind = 类别
page-by-check = 检查
page-by-file = 文档
page-any = 全部
page-reset = 显示全部
page-open-all = 全部展开
page-showing = 显示 {"{"}shown{"}"} / {"{"}all{"}"} 条
page-copy = 复制
page-copied = 已复制
page-introduced = 首次出现
page-last-tested = 最近测试
page-retest = 复测
page-confidence = 可信度
page-lag = 间隔
page-exposure = 当时情况
page-suppressed-comment = 由 { $place } 处的注释搁置：{ $reason }
page-suppressed-config = 由配置搁置：{ $reason }
page-suppressed-baseline = 已搁置：列在基线中。
page-pitfalls-hint = 文档告诫要避开的事，以及何时开始告诫。动摇结论最多的排在最前：关闭其触发项重跑一次，能回答的最多。
page-challenges = { $count ->
    [0] 未动摇结论
   *[other] 动摇 { $count } 条结论
}

## The comment on a pull request

comment-headline = { $leads ->
        [0] { $claims ->
            [0] 没有找到结论，因此没有作出任何判断
           *[other] { $suppressed ->
                [0] { $caveats ->
                    [0] {""}
                   *[other] 就能读到的历史而言，
                }{ $claims } 条结论全部成立为证据
               *[other] 没有待处理的线索；{ $claims } 条结论中有 { $suppressed } 条是已知并被搁置的线索
            }
        }
       *[other] { $claims } 条结论中有 { $leads } 条只是线索，不是证据
    }
comment-change = { $parts-count ->
        [0] 本次更改没有使任何结论变成线索
       *[other] 本次更改：{ $parts }
    }
comment-change-new = 新增 { $count } 条线索
comment-change-turned = { $count } 条结论变成线索
comment-change-cleared = { $count } 条结论重新成为证据
comment-change-lapsed = { $count } 条结论未经测试而不再是线索
comment-new = 新线索
comment-turned = 变成线索
comment-cleared = 重新成为证据
comment-lapsed = 未经测试而不再是线索
comment-pitfall = 自 { $commit } 起{ $needed ->
        [yes] 必须有
       *[no] 应避免
    }：{ $trigger }（{ $effect }，{ $place }）。
comment-pitfall-before = 有 { $count } 条结论最近一次测试时还不知道这一点。
comment-pitfall-now = 有 { $count } 条旧结果此后没有在{ $needed ->
        [yes] 有
       *[no] 避开
    }它的情况下复测过。
comment-column =
    .claim = 结论
    .tested = 最近测试
    .retested = 复测
    .why = 为何只是线索
    .how = 依据
    .by = 搁置处
    .reason = 所给理由
comment-challenge = { $order ->
        [as-clocks] 最近测试早 { $lag }
       *[against-clocks] 最近测试在更早的提交中，尽管其日期晚 { $lag }
    }；{ $exposure ->
        [in_use] 当时设置了它
       *[unrecorded] 当时是否设置了它，没有记录
    }
comment-by-config = 配置
comment-by-baseline = 基线
comment-more-leads = 还有 { $count } 条线索
comment-more-caveats = 还有 { $count } 项保留事项；其他格式会全部列出。
comment-suppressed = { $count } 条线索已知并被搁置
comment-receipts = 查证命令：逐条显示上述内容
comment-cut = 为了能够发布而略去：{ $claims ->
        [0] {""}
       *[other] { $claims } 条结论，以及{" "}
    }{ $receipts } 条结论的查证命令。其他格式会全部列出。
comment-meaning = 线索在被当作依据之前值得看一看或重新运行；它也许属实。请复测，并在提交说明中写明 { "`Retest: ID`" }。
comment-basis = claim-audit { $version } 读取了 { $commits }、{ $documents }：

## What a change did

change-sum =
    自 { $base } 以来的这次改动{ $made ->
        [0] 没有造成线索
       *[other] 造成 { $made } 条线索（新增 { $new } 条，因其内容转变 { $turned } 条）
    }{ $cleared ->
        [0] {""}
       *[other] ，使 { $cleared } 条重新成为证据
    }{ $lapsed ->
        [0] {""}
       *[other] ，未经测试就去掉了 { $lapsed } 条的理由
    }。{ $untouched ->
        [0] 没有留下更早的线索。
       *[other] 更早的 { $untouched } 条线索保持原状。
    }
change-turned = 改动前为证据，现在为线索：{ $ids }。
change-cleared = 经测试重新成为证据：{ $count } 条结论
change-lapsed = 未经测试而不再是线索：{ $count } 条结论

## The life of a claim

event-stated = 首次陈述
event-stands-again = 再次出现
event-reworded = 换了说法
event-moved = 移到此处
event-copied = 再次陈述
event-translated = 以另一种语言陈述
event-new-number = 数字改变
event-opposite-outcome = 结果改变
event-corrected = 换了单位或来源
event-run-at-last = 终于运行
event-retracted = 撤回
event-withdrawn = 已撤回
event-retested = 复测
event-challenged = 受到已知陷阱的质疑

# What proves that a statement is an older one again.
known-by = 依据：{ $why }
why-same-statement = 表述相同
why-same-subject = 对象相同
why-numbers = { $count } 个数字相同
why-codes = { $count } 个代码名相同
why-words = { $count } 个词相同
why-parts = 分见 { $count } 行
was-withdrawn = 它已被撤回：不再评判。
stands-as-evidence = 它作为证据成立。
is-a-lead = 它只是线索，不是证据：
