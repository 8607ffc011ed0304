;; Dot products of one query with float32 rows, all in one imported memory.
;;
;; Rows are padded with zeros to whole 64-byte lines: four accumulators of four lanes, no tail. `scan` and `gather`
;; share `$dot`, so a pair of vectors has the same score, bit for bit, wherever its row is and however it is reached.
;; Addresses are unsigned and may wrap to 0 at the end of 4 GiB, so loops compare ends for inequality, never for order.
(module
  (import "waymark" "memory" (memory 1 65536))

  (func $dot (param $query i32) (param $row i32) (param $stride i32) (result f32)
    (local $end i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $end (i32.add (local.get $row) (local.get $stride)))
    (loop $line
      (local.set $a (f32x4.add (local.get $a)
        (f32x4.mul (v128.load (local.get $query)) (v128.load (local.get $row)))))
      (local.set $b (f32x4.add (local.get $b)
        (f32x4.mul (v128.load offset=16 (local.get $query)) (v128.load offset=16 (local.get $row)))))
      (local.set $c (f32x4.add (local.get $c)
        (f32x4.mul (v128.load offset=32 (local.get $query)) (v128.load offset=32 (local.get $row)))))
      (local.set $d (f32x4.add (local.get $d)
        (f32x4.mul (v128.load offset=48 (local.get $query)) (v128.load offset=48 (local.get $row)))))
      (local.set $query (i32.add (local.get $query) (i32.const 64)))
      (local.set $row (i32.add (local.get $row) (i32.const 64)))
      (br_if $line (i32.ne (local.get $row) (local.get $end))))
    (local.set $a (f32x4.add
      (f32x4.add (local.get $a) (local.get $b))
      (f32x4.add (local.get $c) (local.get $d))))
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
      (f32.add (f32x4.extract_lane 2 (local.get $a)) (f32x4.extract_lane 3 (local.get $a)))))

  ;; Scores `count` >= 1 contiguous rows starting at address `row`; writes one f32 each from address `score`.
  (func (export "scan")
    (param $query i32) (param $row i32) (param $stride i32) (param $count i32) (param $score i32)
    (loop $next
      (f32.store (local.get $score) (call $dot (local.get $query) (local.get $row) (local.get $stride)))
      (local.set $row (i32.add (local.get $row) (local.get $stride)))
      (local.set $score (i32.add (local.get $score) (i32.const 4)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br_if $next (local.get $count))))

  ;; Scores the rows whose slots are the `count` >= 1 u32 at address `slot`; slot 0 is at address `rows`.
  ;; Every line of 16 rows is touched before their sums are computed: cache misses of distant rows then overlap, which
  ;; halves the time (measured with rows of 1,536 bytes). A row adjacent to the previous one is prefetched anyway.
  (func (export "gather")
    (param $query i32) (param $rows i32) (param $stride i32) (param $slot i32) (param $count i32) (param $score i32)
    (local $stop i32) (local $ahead i32) (local $last i32) (local $row i32) (local $end i32) (local $seen i32)
    (local.set $stop (i32.add (local.get $slot) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $ahead (local.get $slot))
    (loop $batch
      (local.set $last (i32.add (local.get $slot) (i32.const 64)))
      (if (i32.gt_u (local.get $last) (local.get $stop)) (then (local.set $last (local.get $stop))))
      (loop $next
        (local.set $row (i32.add (local.get $rows) (i32.mul (i32.load (local.get $ahead)) (local.get $stride))))
        (if (i32.ne (local.get $row) (local.get $end))
          (then
            (local.set $end (i32.add (local.get $row) (local.get $stride)))
            (loop $line
              (local.set $seen (i32.or (local.get $seen) (i32.load (local.get $row))))
              (local.set $row (i32.add (local.get $row) (i32.const 64)))
              (br_if $line (i32.ne (local.get $row) (local.get $end)))))
          (else (local.set $end (i32.add (local.get $row) (local.get $stride)))))
        (local.set $ahead (i32.add (local.get $ahead) (i32.const 4)))
        (br_if $next (i32.ne (local.get $ahead) (local.get $last))))
      ;; Storing the value keeps a compiler from dropping the loads; the score overwrites it.
      (i32.store (local.get $score) (local.get $seen))
      (loop $next
        (f32.store (local.get $score)
          (call $dot
            (local.get $query)
            (i32.add (local.get $rows) (i32.mul (i32.load (local.get $slot)) (local.get $stride)))
            (local.get $stride)))
        (local.set $slot (i32.add (local.get $slot) (i32.const 4)))
        (local.set $score (i32.add (local.get $score) (i32.const 4)))
        (br_if $next (i32.ne (local.get $slot) (local.get $last))))
      (br_if $batch (i32.ne (local.get $slot) (local.get $stop))))))
